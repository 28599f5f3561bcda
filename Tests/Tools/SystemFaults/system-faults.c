// Makes system calls fail, kill the process or run a command first, as the environment specifies.
//
// The library is loaded before a program (LD_PRELOAD). StrataTests builds it when it is first needed and describes it
// in SystemFaults.swift.
//
// STRATA_FAULTS contains rules separated by semicolons: CALL@PART:N:EFFECT or CALL@PART:N+:EFFECT.
//   CALL    open, create, unnamed (a file without a directory entry), read, write, fsync, rename, unlink, truncate,
//           link, mkdir, or any: all calls that change files
//   PART    a part of the path; an empty one matches every path
//   N       the number of the call among the matching ones, from 1; N+ also includes all later ones
//   EFFECT  an error number; kill (SIGKILL before the call); run (the shell runs STRATA_FAULTS_COMMAND before the call)
// STRATA_FAULTS_LOG is the path of a file to which each call that changes files appends a line: its kind and its path.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_RULES 8
#define PATH_LENGTH 4096

enum effect { FAILS, KILLS, RUNS };

struct rule {
    char call[16];
    char part[256];
    long first;
    int onward;
    enum effect effect;
    int error;
    atomic_long seen;
};

static struct rule rules[MOST_RULES];
static int rule_count;
static const char *command;
static const char *log_path;

static void fail(const char *what) {
    dprintf(STDERR_FILENO, "system-faults: STRATA_FAULTS: %s\n", what);
    _exit(99);
}

__attribute__((constructor)) static void start(void) {
    command = getenv("STRATA_FAULTS_COMMAND");
    log_path = getenv("STRATA_FAULTS_LOG");
    const char *text = getenv("STRATA_FAULTS");
    while (text && *text) {
        if (rule_count == MOST_RULES) fail("too many rules");
        struct rule *rule = &rules[rule_count++];
        char effect[16], onward[2] = "";
        int length = 0;
        if (sscanf(text, "%15[a-z]@%n", rule->call, &length) != 1 || !length) fail(text);
        text += length;
        length = 0;
        if (*text != ':') {
            if (sscanf(text, "%255[^:]%n", rule->part, &length) != 1) fail(text);
            text += length;
            length = 0;
        }
        if (sscanf(text, ":%ld%1[+]:%15[a-z0-9]%n", &rule->first, onward, effect, &length) != 3 || !length) {
            length = 0;
            if (sscanf(text, ":%ld:%15[a-z0-9]%n", &rule->first, effect, &length) != 2 || !length) fail(text);
        }
        text += length;
        if (*text == ';') text++;
        rule->onward = onward[0] == '+';
        rule->error = atoi(effect);
        rule->effect = !strcmp(effect, "kill") ? KILLS : !strcmp(effect, "run") ? RUNS : FAILS;
        if (rule->effect == FAILS && rule->error <= 0) fail(effect);
        if (rule->effect == RUNS && !command) fail("run needs STRATA_FAULTS_COMMAND");
    }
}

static void run_command(void) {
    pid_t child = fork();
    if (child == 0) {
        unsetenv("LD_PRELOAD");
        execl("/bin/sh", "sh", "-c", command, (char *)0);
        _exit(127);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (status != 0) fail("the command failed");
}

// Returns nonzero if a call is allowed; otherwise sets errno.
static int may(const char *call, const char *path) {
    int changes = strcmp(call, "open") && strcmp(call, "read");
    if (log_path && changes) {
        char line[PATH_LENGTH + 32];
        int length = snprintf(line, sizeof line, "%s %s\n", call, path);
        long log = syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (log >= 0) {
            syscall(SYS_write, log, line, length);
            syscall(SYS_close, log);
        }
    }
    for (int index = 0; index < rule_count; index++) {
        struct rule *rule = &rules[index];
        if (strcmp(rule->call, call) && !(changes && !strcmp(rule->call, "any"))) continue;
        if (!strstr(path, rule->part)) continue;
        long number = atomic_fetch_add(&rule->seen, 1) + 1;
        if (number != rule->first && !(rule->onward && number > rule->first)) continue;
        switch (rule->effect) {
        case KILLS: kill(getpid(), SIGKILL); pause(); break;
        case RUNS: run_command(); break;
        case FAILS: errno = rule->error; return 0;
        }
    }
    return 1;
}

static int may_descriptor(const char *call, int descriptor) {
    if (!rule_count && !log_path) return 1;
    char link[64], path[PATH_LENGTH];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    errno = before;
    return may(call, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define ON_DESCRIPTOR(result, name, call, parameters, ...)       \
    result name parameters {                                     \
        static __typeof__(&name) next;                           \
        if (!next) next = NEXT(name);                            \
        return may_descriptor(call, descriptor) ? next(__VA_ARGS__) : -1; \
    }

#define ON_PATH(name, call, parameters, path, ...)               \
    int name parameters {                                        \
        static __typeof__(&name) next;                           \
        if (!next) next = NEXT(name);                            \
        return may(call, path) ? next(__VA_ARGS__) : -1;         \
    }

ON_DESCRIPTOR(ssize_t, read, "read", (int descriptor, void *bytes, size_t count), descriptor, bytes, count)
ON_DESCRIPTOR(ssize_t, pread, "read", (int descriptor, void *bytes, size_t count, off_t place), descriptor, bytes, count, place)
ON_DESCRIPTOR(ssize_t, pread64, "read", (int descriptor, void *bytes, size_t count, off64_t place), descriptor, bytes, count, place)
ON_DESCRIPTOR(ssize_t, write, "write", (int descriptor, const void *bytes, size_t count), descriptor, bytes, count)
ON_DESCRIPTOR(ssize_t, pwrite, "write", (int descriptor, const void *bytes, size_t count, off_t place), descriptor, bytes, count, place)
ON_DESCRIPTOR(ssize_t, pwrite64, "write", (int descriptor, const void *bytes, size_t count, off64_t place), descriptor, bytes, count, place)
ON_DESCRIPTOR(ssize_t, writev, "write", (int descriptor, const struct iovec *parts, int count), descriptor, parts, count)
ON_DESCRIPTOR(int, fsync, "fsync", (int descriptor), descriptor)
ON_DESCRIPTOR(int, fdatasync, "fsync", (int descriptor), descriptor)
ON_DESCRIPTOR(int, ftruncate, "truncate", (int descriptor, off_t length), descriptor, length)
ON_DESCRIPTOR(int, ftruncate64, "truncate", (int descriptor, off64_t length), descriptor, length)
ON_PATH(rename, "rename", (const char *from, const char *to), to, from, to)
ON_PATH(renameat, "rename", (int old, const char *from, int new, const char *to), to, old, from, new, to)
ON_PATH(renameat2, "rename", (int old, const char *from, int new, const char *to, unsigned flags), to, old, from, new, to, flags)
ON_PATH(unlink, "unlink", (const char *path), path, path)
ON_PATH(unlinkat, "unlink", (int folder, const char *path, int flags), path, folder, path, flags)
ON_PATH(rmdir, "unlink", (const char *path), path, path)
ON_PATH(link, "link", (const char *from, const char *to), to, from, to)
ON_PATH(linkat, "link", (int old, const char *from, int new, const char *to, int flags), to, old, from, new, to, flags)
ON_PATH(mkdir, "mkdir", (const char *path, mode_t mode), path, path, mode)

#define OPENING(name, parameters, ...)                                         \
    int name parameters {                                                      \
        static __typeof__(&name) next;                                         \
        if (!next) next = NEXT(name);                                          \
        mode_t mode = 0;                                                       \
        if (flags & (O_CREAT | O_TMPFILE)) {                                   \
            va_list rest;                                                      \
            va_start(rest, flags);                                             \
            mode = va_arg(rest, mode_t);                                       \
            va_end(rest);                                                      \
        }                                                                      \
        return may((flags & O_TMPFILE) == O_TMPFILE ? "unnamed" : flags & O_CREAT ? "create" : "open", path) ? next(__VA_ARGS__, flags, mode) : -1; \
    }

OPENING(open, (const char *path, int flags, ...), path)
OPENING(open64, (const char *path, int flags, ...), path)
OPENING(openat, (int folder, const char *path, int flags, ...), folder, path)
OPENING(openat64, (int folder, const char *path, int flags, ...), folder, path)
