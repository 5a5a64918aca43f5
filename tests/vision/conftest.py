import pytest

from tests.vision.table import Table, make_table
from vision.synthetic.style import club_style


@pytest.fixture(scope="session")
def table() -> Table:
    return make_table(club_style())
