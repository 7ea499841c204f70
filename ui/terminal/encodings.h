/* Pictures in real pixels as bytes for a terminal: by kitty's graphics protocol and as sixels. Both
 * put a picture at its place and leave the cursor somewhere: saving it would take the place of what
 * some terminals save when the alternate screen is entered. */
#ifndef JACOBI_UI_TERMINAL_ENCODINGS_H
#define JACOBI_UI_TERMINAL_ENCODINGS_H

#include "ui/draw/theme.h"

/* By kitty's protocol, under the text of its area, to which the terminal stretches it; it takes the
 * place of the picture of that number, below PICTURES_MAX. NULL if there is no memory; to be freed.
 */
char *kitty_encode(const struct pixel_picture *picture, int number, const struct palette *palette,
                   size_t *length);

/* The bytes that take every picture of ours away. */
extern const char kitty_removal[];

/* Whether this program was built with libsixel. */
bool sixel_is_built(void);

/* As sixels that overwrite the text of its area: width × height pixels of the terminal in at most
 * `colors` colours, 1 to INK_LEVELS. NULL if libsixel fails; to be freed. */
char *sixel_encode_picture(const struct pixel_picture *picture, int width, int height, int colors,
                           const struct palette *palette, size_t *length);

#endif
