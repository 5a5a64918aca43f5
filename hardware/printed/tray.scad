// Sensor tray for four points: lies under the playing field, holds one reed a slot and the board with three registers.
// One of six; print flat side down, no supports.
include <measures.scad>

wall = 2.4;
floor_mm = 1.6;
reed_diameter = 2.6;     // glass 2.2 mm and a little room
lead_mm = 7;             // straight wire at either end before the bend
channel = reed_diameter + 0.6;
depth = reed_diameter + 1.2;

width = strip_points * board_point_pitch_mm;
length = slots * board_slot_pitch_mm;
wire_duct = 6;

module reed_bed() {
    // Along the point, its middle off the slot's middle towards the centre of the board.
    translate([-channel / 2, reed_off_middle_mm - reed_glass_length_mm / 2 - lead_mm, floor_mm])
        cube([channel, reed_glass_length_mm + 2 * lead_mm, depth + 1]);
}

difference() {
    cube([width, length, floor_mm + depth]);
    for (point = [0 : strip_points - 1], slot = [0 : slots - 1])
        translate([(point + 0.5) * board_point_pitch_mm, (slot + 0.5) * board_slot_pitch_mm, 0]) reed_bed();
    // One duct a point for the wires, beside the reeds, open to the next tray's.
    for (point = [0 : strip_points - 1])
        translate([(point + 0.5) * board_point_pitch_mm + channel, -1, floor_mm])
            cube([wire_duct, length + 2, depth + 1]);
    // Cross ducts at the leads.
    for (slot = [0 : slots - 1])
        translate([wall, (slot + 0.5) * board_slot_pitch_mm + reed_off_middle_mm + reed_glass_length_mm / 2 + lead_mm - 2, floor_mm])
            cube([width - 2 * wall, 2.4, depth + 1]);
    // Lighter and faster to print: pockets between the points.
    for (point = [1 : strip_points - 1], slot = [0 : slots - 1])
        translate([point * board_point_pitch_mm - 4, slot * board_slot_pitch_mm + 6, floor_mm + 0.8])
            cube([8, board_slot_pitch_mm - 14, depth + 1]);
}
