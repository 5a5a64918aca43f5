// Sensor tray: lies under the playing field from the rail towards the centre of the board, holds one reed a slot. The
// circuit board lies in the strip that stays free between two trays. Print flat side down, no supports.
include <measures.scad>

points = strip_points;   // 2 where the bar comes between the points of one circuit board

wall = 2.4;
floor_mm = 1.6;
reed_diameter = 2.6;     // glass 2.2 mm and a little room
lead_mm = 7;             // straight wire at either end before the bend
channel = reed_diameter + 0.6;
depth = reed_diameter + 1.2;

width = points * board_point_pitch_mm;
length = slots * board_slot_pitch_mm;
wire_duct = 6;

module reed_bed() {
    // Along the point, its middle off the slot's middle towards the centre of the board.
    translate([-channel / 2, reed_off_middle_mm - reed_glass_length_mm / 2 - lead_mm, floor_mm])
        cube([channel, reed_glass_length_mm + 2 * lead_mm, depth + 1]);
}

difference() {
    cube([width, length, floor_mm + depth]);
    for (point = [0 : points - 1], slot = [0 : slots - 1])
        translate([(point + 0.5) * board_point_pitch_mm, (slot + 0.5) * board_slot_pitch_mm, 0]) reed_bed();
    // One duct a point for the wires, beside the reeds, open to the next tray's.
    for (point = [0 : points - 1])
        translate([(point + 0.5) * board_point_pitch_mm + channel, -1, floor_mm])
            cube([wire_duct, length + 2, depth + 1]);
    // Cross ducts at the leads nearer to the rail; the last reed's other lead leaves by the open end.
    for (slot = [0 : slots - 1])
        translate([wall, (slot + 0.5) * board_slot_pitch_mm + reed_off_middle_mm - reed_glass_length_mm / 2 - lead_mm, floor_mm])
            cube([width - 2 * wall, 2.4, depth + 1]);
    // Lighter and faster to print: pockets between the points.
    for (point = [1 : points - 1], slot = [0 : slots - 1])
        translate([point * board_point_pitch_mm - 4, slot * board_slot_pitch_mm + 6, floor_mm + 0.8])
            cube([8, board_slot_pitch_mm - 14, depth + 1]);
}
