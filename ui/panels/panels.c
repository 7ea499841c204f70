/* The table of panels (ui/panels/panel.h). */
#include <string.h>

#include "ui/panels/panel.h"

const struct panel panels[] = {
    {"field", "Field U", '1', field_panel_draw, "U on the grid, reduced to the cells shown"},
    {"residual", "Residual", '2', residual_panel_draw,
     "the residual of every iteration, with theory and tolerance"},
    {"timing", "One iteration", '3', timing_panel_draw,
     "where an iteration's time goes: kernels against copies"},
    {"timeline", "Timeline", '4', timeline_panel_draw,
     "an iteration to true scale: host, copies, kernels"},
    {"roofline", "Roofline", '5', roofline_panel_draw,
     "how close each kernel comes to what the device can do"},
    {"table", "Table", '6', table_panel_draw, "the blog's tables, with the reference beside them"},
    {"mesh", "Mesh", '7', mesh_panel_draw,
     "the grid's nodes, unknowns, rim and wall, as in the blog's figure 1"},
    {"levels", "Levels", '0', levels_panel_draw,
     "multigrid's grids side by side: U, and the correction that each coarser one has made"},
    {"stencil", "The unknowns U", 0, stencil_panel_draw,
     "a small grid as numbers, with one unknown and its four neighbours lit"},
    {"lane", "Lane", 0, lane_panel_draw, "one run of a comparison"},
    {"effort", "Effort", '8', effort_panel_draw,
     "lines, directives, launches and copies, counted in our source"},
    {"devices", "Devices", '9', devices_panel_draw,
     "several devices: what each computes, exchanges and waits for, and the speed-up"},
    {"sweep", "Block sizes", 'B', tuning_scan_panel_draw,
     "what an iteration takes with each block size, as a curve"},
    {"motion", "Data that move", 0, motion_panel_draw,
     "arrays, copies and kernels of one iteration in slow motion"},
    {"explain", "Explain", 'e', explain_panel_draw,
     "the directive or launch that runs now, as it stands in our source"},
    {"costs", "What it costs", 'P', costs_panel_draw,
     "what an iteration costs, in big digits and bars to one scale: for the last row"},
    {"race", "Race", 0, race_panel_draw, "in the same time for each: who gets how far"},
    {"verdict", "Verdict", 'v', verdict_panel_draw, "who is faster, by how much, and why"},
    {0},
};

const char *const *panel_names(void) {
    static const char *names[sizeof panels / sizeof *panels];
    for (size_t p = 0; p < sizeof panels / sizeof *panels; p++)
        names[p] = panels[p].name;
    return names;
}

const struct panel *panel_find(const char *name) {
    for (const struct panel *panel = panels; panel->name; panel++)
        if (strcmp(panel->name, name) == 0)
            return panel;
    return NULL;
}

const struct panel *panel_of_key(int key) {
    for (const struct panel *panel = panels; panel->name; panel++)
        if (key && panel->key == key)
            return panel;
    return NULL;
}
