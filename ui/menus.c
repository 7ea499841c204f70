#include "ui/actions.h"
#include "ui/ui.h"

void action_menu_grid(struct ui *ui, int key) {
    (void)ui;
    (void)key;
}
void action_menu_backend(struct ui *ui, int key) {
    (void)ui;
    (void)key;
}
void action_menu_schedule(struct ui *ui, int key) {
    (void)ui;
    (void)key;
}
void action_menu_problem(struct ui *ui, int key) {
    (void)ui;
    (void)key;
}
void action_menu_preset(struct ui *ui, int key) {
    (void)ui;
    (void)key;
}
