// Clock case: two large buttons, the pause button between them, the lamps above, the microcontroller inside.
include <measures.scad>

part = "both";           // "top", "bottom" or "both"
length = 160;
depth = 80;
height = 36;
wall = 2.4;
radius = 8;
button = 30.2;           // arcade button, 30 mm thread
pause = 12.2;
led = 5.1;

module body(grow = 0) {
    linear_extrude(height)
        offset(radius + grow) translate([radius, radius]) square([length - 2 * radius, depth - 2 * radius]);
}

module top() {
    difference() {
        body();
        translate([0, 0, -wall]) body(-wall);
        for (x = [38, length - 38]) translate([x, depth / 2 - 6, 0]) cylinder(h = height + 1, d = button, $fn = 96);
        translate([length / 2, depth / 2 - 6, 0]) cylinder(h = height + 1, d = pause, $fn = 48);
        for (lamp = [0 : lamps - 1])
            translate([length / 2 + (lamp - (lamps - 1) / 2) * 16, depth - 14, 0]) cylinder(h = height + 1, d = led, $fn = 32);
        // Cable to the sensor boards, and USB.
        translate([-1, depth / 2 - 8, -1]) cube([wall + 2, 16, 9]);
        translate([length - wall - 1, depth / 2 - 6, -1]) cube([wall + 2, 12, 7]);
        // Holes for the buzzer's sound.
        for (hole = [-2 : 2]) translate([length / 2 + hole * 5, 10, 0]) cylinder(h = height + 1, d = 2, $fn = 24);
    }
}

module bottom() {
    linear_extrude(wall)
        offset(radius) translate([radius, radius]) square([length - 2 * radius, depth - 2 * radius]);
    // A rim that sits inside the top.
    translate([0, 0, wall]) difference() {
        linear_extrude(4) offset(radius - wall - 0.3)
            translate([radius, radius]) square([length - 2 * radius, depth - 2 * radius]);
        translate([0, 0, -1]) linear_extrude(6) offset(radius - 2 * wall - 0.3)
            translate([radius, radius]) square([length - 2 * radius, depth - 2 * radius]);
        translate([-1, depth / 2 - 9, -1]) cube([length + 2, 18, 6]);
    }
}

if (part != "bottom") top();
if (part != "top") translate([0, part == "both" ? -depth - 12 : 0, 0]) bottom();
