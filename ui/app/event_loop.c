/* The screen's event loop: waits for keys, samples, signals and timers, and draws changes. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "build_info.h"
#include "core/file.h"
#include "core/process.h"
#include "core/system.h"
#include "report/doctor.h"
#include "ui/app/app.h"
#include "ui/terminal/crash.h"
#include "ui/terminal/terminal.h"

bool ui_is_built(void) {
    return true;
}

/* The budget for a slow line, excluding the line's own overhead. */
static const double bytes_per_second = 90e3;
static const int64_t second_ns = 1000000000;

/* The shortest time between frames after keys or new sizes. */
static const int64_t key_frame_ns = 15000000;

/* The time that the first frame waits for a field, so that it is sent only once. */
static const int64_t patience_ns = 100000000;

struct loop {
    struct app app;
    struct terminal *terminal;
    int signals; /* signalfd */
    sigset_t caught, before;
    int ended_by;
    int64_t frame_ns;      /* minimum between frames */
    int64_t next_frame_ns; /* the next frame's deadline */
    int64_t last_frame_ns; /* 0 before the first */
    int64_t opened_ns;
    bool changed, key_pressed, resized;
    bool lost_pixels; /* the failure was reported */
    uint8_t *roles;   /* for pictures in real pixels; NULL before the first */
};

/* Makes the heatmaps in real pixels, all or none; none if an overlay covers them. Draws their
 * pixels only if they are due. Returns their number. */
static int make_pictures(struct loop *loop, struct pixel_picture pictures[PICTURES_MAX]) {
    enum { PIXELS = PICTURE_SIDE_MAX * PICTURE_SIDE_MAX };
    const struct app *app = &loop->app;
    const struct pixels *pixels = &loop->terminal->pixels;
    const struct slot *slots[PICTURES_MAX];
    int count = 0;
    for (int s = 0; s < app->layout.count && app->state.overlay == OVERLAY_NONE; s++) {
        struct pixel_picture picture = {0};
        if (!screen_picture(&app->screen, &app->layout.slots[s], &picture))
            continue;
        if (count == PICTURES_MAX || !pixels_fit(pixels, &picture))
            return 0;
        slots[count] = &app->layout.slots[s];
        pictures[count++] = picture;
    }
    if (!count || !pixels_are_due(pixels, pictures, count, clock_now_ns()))
        return count;
    if (!loop->roles)
        loop->roles = malloc((size_t)PICTURES_MAX * PIXELS);
    for (int p = 0; p < count && loop->roles; p++) {
        pictures[p].roles = loop->roles + (size_t)p * PIXELS;
        screen_picture(&app->screen, slots[p], &pictures[p]);
    }
    return loop->roles ? count : 0;
}

static void show_frame(struct loop *loop) {
    struct app *app = &loop->app;
    if (loop->resized) {
        const struct grid *shown = &loop->terminal->shown;
        terminal_resize(loop->terminal);
        app->state.cell_aspect = terminal_cell_aspect(loop->terminal);
        if (shown->cols != app->grid.cols || shown->rows != app->grid.rows) {
            grid_finish(&app->grid);
            grid_init(&app->grid, shown->cols, shown->rows);
        }
    }
    if (app->redraw)
        terminal_redraw(loop->terminal);
    app->redraw = loop->resized = loop->changed = loop->key_pressed = false;
    app_lay_out(app); /* requests the field */
    const int64_t now = clock_now_ns();
    const struct sample *sample = app->sample;
    const bool has_field = sample->lane_count > 0 && sample->lanes[0].field.downsample.cols > 0;
    if (!loop->last_frame_ns && !has_field && now < loop->opened_ns + patience_ns) {
        loop->changed = true;
        loop->next_frame_ns = loop->opened_ns + patience_ns;
        return;
    }
    const bool moves = app_move(app, 1e-9 * (double)(now - loop->last_frame_ns));
    screen_draw(&app->grid, &app->screen, &app->layout);
    app_recording_frame(app, 1e-9 * (double)(now - loop->opened_ns));
    struct pixel_picture pictures[PICTURES_MAX];
    const int count = make_pictures(loop, pictures);
    const size_t bytes =
        terminal_show(loop->terminal, &app->grid, app->state.colormap, pictures, count);
    loop->changed = moves || (count > 0 && !pictures->roles); /* pictures are pending */
    if (loop->terminal->pixels.failed && !loop->lost_pixels) {
        loop->lost_pixels = true;
        app_show_message(app, false, "Real pixels off: a picture failed");
        loop->changed = true;
    }
    /* The next frame is due one period after this one, or when a slow line has transferred this
     * one's bytes: at most half a second, for huge windows. */
    const double on_line =
        (double)bytes / (bytes_per_second - (count ? PICTURE_BYTES_PER_SECOND : 0));
    const int64_t after_bytes = now + (int64_t)(on_line < 0.5 ? on_line * 1e9 : 0.5e9);
    loop->next_frame_ns += loop->frame_ns;
    if (loop->next_frame_ns < now)
        loop->next_frame_ns = now;
    if (loop->next_frame_ns < after_bytes)
        loop->next_frame_ns = after_bytes;
    loop->last_frame_ns = now;
}

static int64_t due_ns(const struct loop *loop) {
    return loop->key_pressed || loop->resized ? loop->last_frame_ns + key_frame_ns
                                              : loop->next_frame_ns;
}

/* Prepares the run's line of a crash report. */
static void report_run_state(const struct sample *sample) {
    char about[CRASH_HINT_SIZE];
    format_text(about, sizeof about, "jacobi-tui %s, preset %.60s, %.30s %dx%d:", BUILD_VERSION,
                *sample->preset ? sample->preset : "none", sample->problem, sample->nx, sample->ny);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        format_append(about, sizeof about, " %s/%s/%s on %.60s at %ld", lane->run.backend,
                      mapping_names[lane->run.mapping], schedule_names[lane->run.schedule.kind],
                      lane->device, lane->iterations);
    }
    crash_set_hint(about);
}

static void take_input(struct loop *loop) {
    struct input_event event;
    struct pollfd typed = {.fd = loop->terminal->tty.in, .events = POLLIN};
    /* Only while input is available: a read would block. */
    while (!loop->terminal->tty.gone && poll(&typed, 1, 0) > 0) {
        terminal_read(loop->terminal);
        while (terminal_next(loop->terminal, &event)) {
            if (event.kind == INPUT_KEY)
                app_key(&loop->app, event.key);
            else
                app_click(&loop->app, event.x, event.y);
            loop->changed = loop->key_pressed = true;
        }
    }
}

static void take_signal(struct loop *loop, int number) {
    if (number == SIGWINCH) {
        /* Redraws everything: the size may have changed twice. */
        loop->app.redraw = loop->changed = loop->resized = true;
    } else if (number == SIGCONT) {
        terminal_take_modes(loop->terminal); /* SIGSTOP left them to the shell */
        loop->app.redraw = loop->changed = true;
    } else if (number == SIGTSTP) {
        /* Ctrl-Z: gives the terminal to the shell and pauses the run. */
        sigset_t stop;
        take_input(loop); /* pending keys and replies are ours, not the shell's */
        if (loop->app.quit)
            return;
        const bool was_running =
            loop->app.sample->state == SESSION_RUNNING && !loop->app.plan.paused;
        sigemptyset(&stop);
        sigaddset(&stop, SIGTSTP);
        if (was_running)
            app_send(&loop->app, COMMAND_PAUSE, 1);
        terminal_suspend(loop->terminal);
        raise(SIGTSTP);
        pthread_sigmask(SIG_UNBLOCK, &stop, NULL); /* returns on SIGCONT */
        pthread_sigmask(SIG_BLOCK, &stop, NULL);
        terminal_resume(loop->terminal);
        if (was_running)
            app_send(&loop->app, COMMAND_PAUSE, 0);
        loop->changed = loop->resized = true;
    } else {
        loop->ended_by = number;
    }
}

/* Runs the editor, which gets the terminal and the signals of its keys. */
static void give_to_editor(struct loop *loop) {
    struct error error = {0};
    struct signalfd_siginfo info;
    loop->app.edits = false;
    terminal_suspend(loop->terminal);
    const enum status status = exercise_session_edit(&loop->app, &error);
    while (read(loop->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGINT && info.ssi_signo != SIGQUIT && info.ssi_signo != SIGTSTP)
            take_signal(loop, (int)info.ssi_signo);
    terminal_resume(loop->terminal);
    loop->app.redraw = loop->changed = loop->resized = true;
    if (status)
        app_show_message(&loop->app, true, "%s", error.message);
}

static void loop_once(struct loop *loop) {
    struct app *app = &loop->app;
    struct terminal *terminal = loop->terminal;
    const bool busy = terminal->tty.waiting_count > 0;
    struct pollfd ready[] = {
        {.fd = loop->signals, .events = POLLIN},
        {.fd = terminal->tty.in, .events = POLLIN},
        {.fd = app->source->ops->descriptor(app->source), .events = POLLIN},
        {.fd = app->wake, .events = POLLIN},
        {.fd = busy ? terminal->tty.out : -1, .events = POLLOUT},
    };
    /* Waits until a frame or the end of a message is due. */
    const int64_t when = busy ? 0 : loop->changed ? due_ns(loop) : app->state.message_ends_ns;
    const int64_t left = when - clock_now_ns();
    const bool waits = busy || (!loop->changed && !when);
    const int most = app->exercise ? 50 : -1; /* for polling the exercise's folder */
    int timeout = waits ? most : left > 0 ? (int)(left / 1000000 + 1) : 0;
    if (most > 0 && timeout > most)
        timeout = most;
    poll(ready, sizeof ready / sizeof *ready, timeout);
    struct signalfd_siginfo info;
    while (ready[0].revents && read(loop->signals, &info, sizeof info) == sizeof info)
        take_signal(loop, (int)info.ssi_signo);
    if (ready[1].revents)
        take_input(loop);
    if (ready[2].revents) {
        app_take_sample(app);
        report_run_state(app->sample);
        loop->changed = true;
        if (!loop->last_frame_ns)
            loop->next_frame_ns = 0;
    }
    if (ready[3].revents) {
        app_take_results(app);
        loop->changed = loop->key_pressed = true;
    }
    if (ready[4].revents)
        tty_flush(&terminal->tty);
    loop->changed |= exercise_session_poll(app);
    if (app->edits)
        give_to_editor(loop);
    loop->changed |= app_forget(app, clock_now_ns());
    if (loop->changed && !terminal->tty.waiting_count && clock_now_ns() >= due_ns(loop))
        show_frame(loop);
    if (terminal->tty.gone && !loop->ended_by)
        loop->ended_by = SIGHUP;
}

/* Uses a signalfd for the signals that would end the process, and for three more. */
static enum status open_loop(struct loop *loop, struct error *error) {
    struct sigaction stop;
    signals_that_end(&loop->caught);
    sigaddset(&loop->caught, SIGCONT);
    sigaddset(&loop->caught, SIGWINCH);
    if (sigaction(SIGTSTP, NULL, &stop) == 0 && stop.sa_handler != SIG_IGN)
        sigaddset(&loop->caught, SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &loop->caught, &loop->before);
    loop->signals = signalfd(-1, &loop->caught, SFD_NONBLOCK | SFD_CLOEXEC);
    if (loop->signals < 0)
        return error_set(error, STATUS_INTERNAL, "can't catch signals");
    TRY(terminal_open(&loop->app.config.view.terminal, &loop->terminal, error));
    loop->app.screen.no_color = loop->terminal->palette.depth == PALETTE_MONO;
    loop->app.screen.ascii = loop->terminal->glyphs >= GLYPHS_ASCII;
    loop->frame_ns = second_ns / (loop->app.plan.fps > 0 ? loop->app.plan.fps : 20);
    loop->changed = loop->resized = true;
    loop->opened_ns = clock_now_ns();
    return STATUS_OK;
}

static enum status run_loop(struct loop *loop, struct error *error) {
    struct app *app = &loop->app;
    const struct config *config = &app->config;
    TRY(app_recording_open(app, error));
    const bool is_bare = config->is_bare; /* read first: a tour replaces the configuration */
    if (tour_view_open(app, error) || open_loop(loop, error)) {
        file_writer_close(app->worksheet, false, NULL);
        app->worksheet = NULL;
        return error->status;
    }
    if (is_bare)
        app_welcome(app);
    while (!app->quit && !loop->ended_by)
        loop_once(loop);
    return STATUS_OK;
}

enum status ui_run(const struct config *config, struct source *source,
                   struct exercise_session *session, int *signal_number, struct error *error) {
    struct loop *loop = calloc(1, sizeof *loop); /* too large for a small stack */
    struct error unfinished;
    *signal_number = 0;
    if (!loop || !app_init(&loop->app, config, source)) {
        free(loop);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    loop->signals = -1;
    loop->app.exercise = session;
    loop->app.screen.exercise = exercise_session_view(session);
    pthread_sigmask(SIG_SETMASK, NULL, &loop->before);
    enum status status = run_loop(loop, error);
    terminal_close(loop->terminal);
    /* SIGHUP may follow the end of the terminal's input. */
    if (loop->ended_by == SIGHUP)
        signal(SIGHUP, SIG_IGN);
    if (loop->signals >= 0)
        close(loop->signals);
    interrupt_install(); /* for the remaining steps */
    pthread_sigmask(SIG_SETMASK, &loop->before, NULL);
    app_recording_close(&loop->app, &unfinished);
    status = error_keep_first(status, &unfinished, error);
    app_finish(&loop->app);
    free(loop->roles);
    *signal_number = loop->ended_by;
    free(loop);
    return status;
}

/* ---- --doctor */

/* The terminal's capabilities, known after its replies. */
static void examine_terminal(const struct terminal *terminal, struct examination *examination) {
    static const char *const depths[] = {
        [PALETTE_MONO] = "none", [PALETTE_8] = "8",        [PALETTE_16] = "16",
        [PALETTE_256] = "256",   [PALETTE_DIRECT] = "RGB",
    };
    static const char *const glyphs[] = {
        [GLYPHS_UNICODE] =
            "UTF-8; are these four dots, half a block and a block? \u28e4 \u2584 \u2588",
        [GLYPHS_CONSOLE] = "what the console's font has",
        [GLYPHS_ASCII] = "ASCII",
        [GLYPHS_SCREEN_READER] = "ASCII without frames, for screen readers",
    };
    const char *can = getenv("COLORTERM"), *no_color = getenv("NO_COLOR");
    const enum palette_depth depth = terminal->palette.depth;
    const enum pixel_protocol protocol = terminal->pixels.protocol;
    examination_add(examination, "terminal", "screen", true, NULL, "%dx%d, TERM=%s",
                    terminal->shown.cols, terminal->shown.rows, getenv("TERM"));
    examination_add(examination, "terminal", "colours", depth != PALETTE_MONO,
                    "use a colour terminal, unset NO_COLOR or pass --colors 256",
                    "%s (COLORTERM=%s, NO_COLOR=%s)", depths[depth], can ? can : "",
                    no_color ? no_color : "");
    examination_add(examination, "terminal", "pixels", protocol != PROTOCOL_NONE,
                    "for real pixels: kitty, Ghostty, WezTerm, or foot or xterm with sixels", "%s",
                    protocol == PROTOCOL_KITTY   ? "kitty's graphics"
                    : protocol == PROTOCOL_SIXEL ? "sixels"
                    : pixels_await_reply(&terminal->pixels)
                        ? "the terminal did not reply to the query"
                        : "none, as the terminal reports or as requested");
    examination_add(examination, "terminal", "glyphs", terminal->glyphs == GLYPHS_UNICODE,
                    terminal->glyphs == GLYPHS_CONSOLE
                        ? "for braille: a terminal on a desktop, or ssh from one"
                        : "for braille and blocks: a UTF-8 locale (LANG=C.UTF-8) and no --ascii",
                    "%s", glyphs[terminal->glyphs]);
}

void ui_examine(const struct config *config, struct examination *examination) {
    struct terminal_settings settings = config->view.terminal;
    struct terminal *terminal = NULL;
    struct input_event event;
    struct error error;
    sigset_t caught, before;
    /* No signal may end or stop the process before the terminal is restored. */
    signals_that_end(&caught);
    sigaddset(&caught, SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &caught, &before);
    const int64_t until_ns = clock_now_ns() + second_ns / 2;
    settings.mouse = false;
    if (terminal_open(&settings, &terminal, &error)) {
        examination_add(examination, "terminal", "screen", false,
                        "on a terminal there is a screen; here there are reports (--headless)",
                        "%s", error.message);
    } else {
        do {
            struct pollfd typed = {.fd = terminal->tty.in, .events = POLLIN};
            tty_flush(&terminal->tty);
            if (poll(&typed, 1, 50) > 0)
                terminal_read(terminal);
            while (terminal_next(terminal, &event))
                continue; /* only replies count */
        } while (pixels_await_reply(&terminal->pixels) && !terminal->tty.gone &&
                 clock_now_ns() < until_ns);
        examine_terminal(terminal, examination);
    }
    terminal_close(terminal);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
