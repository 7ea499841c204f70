/* Reading and writing files: rejected files, the state after a failure, and no data loss with
 * several processes. */
#include "tests/fixtures/folder.h"

#include <dirent.h>
#include <sys/resource.h>

#include "core/file.h"
#include "core/json.h"
#include "core/limits.h"

static void assert_text(const char *path, const char *wanted) {
    char *bytes;
    size_t size;
    assert_ok(file_read(path, 1000, &bytes, &size, &error));
    assert_string_equal(bytes, wanted);
    free(bytes);
}

static void check_refusal(enum status status, enum status wanted, const char *path,
                          const char *says) {
    assert_int_equal(status, wanted);
    assert_contains(error.message, path);
    assert_contains(error.message, says);
    error = (struct error){0};
}

/* The number of files whose names begin with `start`. */
static int count_files(const char *start) {
    DIR *entries = opendir(".");
    int count = 0;
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries))
        count += strncmp(entry->d_name, start, strlen(start)) == 0;
    closedir(entries);
    return count;
}

/* ---- reading -------------------------------------------------------------------------------- */

TEST(regular_files_are_read) {
    char *bytes;
    size_t size;
    file_write_text("read", "text");
    assert_int_equal(symlink("read", "read-link"), 0);
    assert_text("read", "text");
    assert_text("read-link", "text");
    assert_ok(file_read("read", 4, &bytes, &size, &error)); /* just fits */
    assert_int_equal(size, 4);
    free(bytes);
    file_write_text("empty", "%s", "");
    assert_text("empty", "");
    /* The kernel reports no size for these files. */
    assert_ok(file_read("/proc/self/status", 1 << 16, &bytes, &size, &error));
    assert_true(size > 100 && strlen(bytes) == size);
    free(bytes);
}

/* All of these are rejected immediately, without waiting. */
TEST(nothing_else_is_read) {
    static const struct {
        const char *path, *says;
    } cases[] = {
        {"fifo", "not a regular file"},      {"/dev/zero", "not a regular file"},
        {"/dev/null", "not a regular file"}, {".", "it is a folder"},
        {"large", "larger than 1.00 kB"},    {"/proc/self/maps", "larger than 1.00 kB"},
        {"absent", "No such file"},          {"nowhere", "No such file"},
    };
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(symlink("absent", "nowhere"), 0);
    file_write_text("large", "%s", "");
    assert_int_equal(truncate("large", 1001), 0);
    alarm(LIMIT_SECONDS);
    for_each(row, cases) {
        char *bytes;
        size_t size;
        const enum status status = file_read(row->path, 1000, &bytes, &size, &error);
        check_refusal(status, STATUS_BAD_INPUT, row->path, row->says);
    }
    alarm(0);
}

/* ---- writing -------------------------------------------------------------------------------- */

TEST(names_that_are_taken) {
    static const char *const taken[] = {"taken", "taken-link", "taken-nowhere", "taken-folder",
                                        "taken-fifo"};
    file_write_text("taken", "mine");
    assert_int_equal(symlink("taken", "taken-link"), 0);
    assert_int_equal(symlink("taken-absent", "taken-nowhere"), 0);
    assert_int_equal(mkdir("taken-folder", 0700), 0);
    assert_int_equal(mkfifo("taken-fifo", 0600), 0);
    for (size_t t = 0; t < count_of(taken); t++) {
        struct file_writer *writer;
        assert_true(file_exists(taken[t]));
        check_refusal(file_write(taken[t], false, "new", 3, &error), STATUS_BAD_INPUT, taken[t],
                      "--overwrite");
        check_refusal(file_check(taken[t], false, &error), STATUS_BAD_INPUT, taken[t],
                      "--overwrite");
        check_refusal(file_writer_open(taken[t], false, &writer, &error), STATUS_BAD_INPUT,
                      taken[t], "--overwrite");
        const enum status wanted = t < 2 ? STATUS_OK : t == 2 ? STATUS_BAD_INPUT : STATUS_INTERNAL;
        assert_int_equal(file_check(taken[t], true, &error), wanted);
        assert_text("taken", "mine");
        if (t >= 2)
            assert_int_equal(file_write(taken[t], true, "new", 3, &error), wanted);
    }
    assert_false(file_exists("taken-absent"));
    assert_int_equal(count_files("taken"), 5);
}

TEST(links_and_permissions_stay) {
    struct stat about;
    file_write_text("target", "old");
    assert_int_equal(chmod("target", 0640), 0);
    assert_int_equal(symlink("target", "link"), 0);
    assert_ok(file_write("link", true, "new", 3, &error));
    assert_text("target", "new");
    assert_int_equal(lstat("link", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat("link", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    const mode_t mask = umask(022);
    assert_ok(file_write("ordinary", false, "new", 3, &error));
    umask(mask);
    assert_int_equal(stat("ordinary", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0644);
}

/* Names of 255 bytes work. A file that others create under a reserved name remains. A file that
 * root replaces keeps its owner. */
TEST(names_are_kept) {
    struct stat about;
    struct file_writer *writer;
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_ok(file_write(name, false, "new", 3, &error));
    assert_ok(file_write(name, true, "newer", 5, &error));
    assert_text(name, "newer");
    assert_ok(file_writer_open("claimed", false, &writer, &error));
    file_write_text("claimed", "theirs");
    assert_int_equal(file_writer_append(writer, "mine", 4, &error), STATUS_INTERNAL);
    file_writer_close(writer, true, &error);
    assert_text("claimed", "theirs");
    file_write_text("others", "old");
    if (chown("others", 54321, 54321) != 0)
        return;
    assert_ok(file_write("others", true, "new", 3, &error));
    assert_int_equal(stat("others", &about), 0);
    assert_int_equal(about.st_uid, 54321);
    /* Root may write anywhere, so an unwritable folder is simulated by a missing one. */
}

/* A file that may be written, in a folder that may not, is refused before a run. */
TEST(folders_that_are_not_ours) {
    if (geteuid() != 0)
        skip(); /* root makes them */
    assert_int_equal(mkdir("theirs", 0755), 0);
    assert_int_equal(mkdir("ours", 0777), 0);
    file_write_text("theirs/file", "old");
    file_write_text("ours/file", "old");
    assert_int_equal(chmod("theirs/file", 0666) | chmod("ours/file", 0666) | chmod("ours", 0777) |
                         chmod(".", 0755),
                     0);
    const pid_t child = fork();
    if (child == 0) {
        const bool is_other = chroot(".") == 0 && chdir("/") == 0 && setuid(54321) == 0;
        _exit(!is_other ? 77
                        : file_check("ours/file", true, &error) != STATUS_OK ||
                              file_check("theirs/file", true, &error) != STATUS_INTERNAL);
    }
    const int status = child_status(child);
    if (status == 77)
        skip(); /* not allowed here */
    assert_int_equal(status, 0);
}

TEST(no_such_folder) {
    check_refusal(file_write("none/file", true, "new", 3, &error), STATUS_INTERNAL, "none/file",
                  "No such file");
}

/* Limits the size of this process's files to `bytes`, which simulates a full disk. */
static void limit_files(rlim_t bytes) {
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST(a_full_disk_leaves_what_was_there) {
    static const char large[2000];
    file_write_text("full-old", "old");
    limit_files(1000);
    const enum status replaced = file_write("full-old", true, large, sizeof large, &error);
    const enum status made = file_write("full-new", false, large, sizeof large, &error);
    limit_files(RLIM_INFINITY);
    check_refusal(replaced, STATUS_INTERNAL, "full-new", "can't be written: ");
    assert_int_equal(made, STATUS_INTERNAL);
    assert_text("full-old", "old");
    assert_int_equal(count_files("full-"), 1);
}

/* ---- records -------------------------------------------------------------------------------- */

TEST(records_are_whole) {
    struct file_writer *writer;
    struct error later = {0};
    assert_ok(file_writer_open("records", false, &writer, &error));
    limit_files(10);
    assert_ok(file_writer_append(writer, "first\n", 6, &error));
    check_refusal(file_writer_append(writer, "second\n", 7, &error), STATUS_INTERNAL, "records",
                  "writing stopped after 6 B: ");
    limit_files(RLIM_INFINITY);
    assert_ok(file_writer_append(writer, "third\n", 6, &later)); /* not again */
    assert_int_equal(file_writer_size(writer), 6);
    assert_ok(file_writer_close(writer, true, &later));
    assert_int_equal(later.status, 0);
    assert_text("records", "first\n");
}

/* The old recording remains until the first record of the new one. */
TEST(replaced_at_the_first_record) {
    struct file_writer *writer;
    file_write_text("begun", "old");
    assert_ok(file_writer_open("begun", true, &writer, &error));
    assert_text("begun", "old");
    assert_ok(file_writer_close(writer, true, &error));
    assert_text("begun", "old");
    assert_ok(file_writer_open("begun", true, &writer, &error));
    assert_ok(file_writer_append(writer, "1", 1, &error));
    assert_text("begun", "1");
    assert_ok(file_writer_append(writer, "2", 1, &error));
    assert_text("begun", "12");
    assert_ok(file_writer_close(writer, true, &error));
    assert_int_equal(count_files("begun"), 1);
}

TEST(nothing_is_left_of_nothing) {
    struct file_writer *writer;
    assert_ok(file_writer_open("nothing", false, &writer, &error));
    assert_true(file_exists("nothing")); /* the name is reserved meanwhile */
    assert_ok(file_writer_close(writer, true, &error));
    assert_ok(file_writer_open("nothing", false, &writer, &error));
    assert_ok(file_writer_append(writer, "useless", 7, &error));
    assert_ok(file_writer_close(writer, false, &error));
    assert_int_equal(count_files("nothing"), 0);
}

/* ---- several processes ---------------------------------------------------------------------- */

enum { WRITERS = 16, KEYS = 8 };

TEST(no_update_is_lost) {
    char folder[512];
    int missing = 0;
    assert_non_null(getcwd(folder, sizeof folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    for (int w = 0; w < WRITERS; w++) {
        if (fork())
            continue;
        for (int k = 0; k < KEYS; k++) {
            while (!json_cache_store("shared.json", PRINT("%d/%d", w, k), cJSON_CreateNumber(k)))
                ; /* on a slow disk the other processes may hold the lock too long */
        }
        _exit(0);
    }
    while (wait(NULL) > 0)
        ;
    cJSON *root = json_cache_read("shared.json");
    for (int w = 0; w < WRITERS; w++)
        for (int k = 0; k < KEYS; k++) {
            missing += !cJSON_HasObjectItem(root, PRINT("%d/%d", w, k));
        }
    cJSON_Delete(root);
    assert_int_equal(missing, 0);
}

/* The newest entries are kept, so that the cache stays readable. */
TEST(full_cache) {
    enum { ENTRIES = 512 };
    cJSON *root = cJSON_CreateObject();
    for (int k = 0; k <= ENTRIES; k++) {
        cJSON_AddNumberToObject(root, PRINT("%d", k), k);
    }
    owned_memory char *text = cJSON_Print(root);
    cJSON_Delete(root);
    assert_ok(file_write("jacobi-tui/full.json", true, text, strlen(text), &error));
    assert_true(json_cache_store("full.json", "new", cJSON_CreateNumber(1)));
    root = json_cache_read("full.json");
    assert_int_equal(cJSON_GetArraySize(root), ENTRIES);
    assert_true(cJSON_HasObjectItem(root, "new") && cJSON_HasObjectItem(root, "2"));
    cJSON_Delete(root);
}

/* Waiting for a lock ends after a time, and leaves the cache unchanged. */
TEST(a_lock_that_is_not_given_back) {
    setenv("JACOBI_LIMITS", "lock=0.01", 1);
    assert_ok(limits_read(&error));
    const int lock = file_lock("jacobi-tui/lock");
    assert_true(lock >= 0);
    assert_false(json_cache_store("shared.json", "late", cJSON_CreateNumber(1)));
    close(lock);
    setenv("JACOBI_LIMITS", LIMITS_OUT_OF_REACH, 1);
    assert_ok(limits_read(&error));
    assert_true(json_cache_store("shared.json", "late", cJSON_CreateNumber(1)));
}

TEST_MODULE(file, NULL, NULL)
