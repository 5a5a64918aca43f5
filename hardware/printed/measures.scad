// made by hardware/drawings.py from hardware/rig/full.toml; do not edit

board_checker_diameter_mm = 36;
board_checker_height_mm = 9;
board_point_pitch_mm = 37;
board_slot_pitch_mm = 36.5;
board_bar_width_mm = 46;
board_field_depth_mm = 486;
board_tray_floor_mm = 3;
magnet_diameter_mm = 6;
magnet_height_mm = 2;
magnet_remanence_t = 1.29;
magnet_depth_mm = 1;
reed_operate_at = 20;
reed_release_at = 8;
reed_glass_length_mm = 14;
reed_off_middle_mm = 8;
slots = 6;
strip_points = 4;
lamps = 5;
