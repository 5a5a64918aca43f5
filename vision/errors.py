"""What a person can put right: errors with a key, so that whoever has the words in another language finds them."""

from typing import Final

SENTENCES: Final = {
    "not_four": "a board has four corners (x, y), got an array of shape {shape}",
    "not_round": "the corners p1, p12, p13, p24 must go once round the board, got {listed}",
    "too_small": "picture too small: a checker is {px} pixels, {needed:.0f} needed",
    "not_in_view": "board not in view: corners {corners} missing from a picture of {width}x{height}",
    "too_dark": "picture too dark: the board's brightness is {level:.0f} of 255, {needed:.0f} needed; more light",
    "overexposed": "picture overexposed: {clipped:.0%} of the board is white, at most {most:.0%} may be; less light",
    "blurred": "picture blurred: sharpness {sharpness:.2f}, {needed} needed; focus the lens, nothing may move",
    "not_recognised": (
        "no board recognised: {sure} of 24 points can be read surely, {needed} needed; are the corners right?"
    ),
    "no_board": (
        "board not found: nothing in view looks like one; "
        "give the four corners, or stick the four printed markers to the rim"
    ),
    "unsure_board": (
        "board not found for sure: its corners can't be made out; "
        "give the four corners, or stick the four printed markers to the rim"
    ),
    "unnamed": (
        "board found, but no markers in view say which corner is p1: "
        "set white_seat or home in [board], or give the four corners"
    ),
    "markers_missing": "markers of corners {corners} not in view; markers seen: {seen}",
    "no_lens": "{path} is not a lens file: {why}",
    "two_sizes": "photos of one camera have one size, these have {listed}: take all of them with the board's camera",
    "few_photos": (
        "{good} of {all} photos show the sheet well enough, {needed} are needed: "
        "fill the picture with the printed sheet, from several sides"
    ),
    "bad_fit": "the lens fits the photos to {error:.1f} px only, {most} are allowed: glue the sheet flat",
    "no_source": (
        "no camera, file or folder {source!r}: give a camera's number, an address, a video or a folder of pictures"
    ),
    "no_pictures": "no pictures in {folder}: give a folder of JPEG or PNG files",
    "no_video": "{file} is not a video that can be read: give an MP4, MKV, AVI or MJPEG file",
    "no_camera": "camera {source} can't be opened: is it plugged in, free, and may this user read it?",
    "no_profile": "{path} is not a board profile: {why}",
    "no_look": "both sets must be in view on their points to learn a board's look",
    "other_size": "the frame is {width}x{height} pixels, the board was set up in one of {asked}: set it up again",
}
"""Every error's sentence in English; ``values`` fill the blanks."""


class VisionError(Exception):
    """Something about the picture or its geometry that a person can put right: the sentence ``key`` with ``values``."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(SENTENCES[key].format(**values))
        self.key = key
        self.values = values
