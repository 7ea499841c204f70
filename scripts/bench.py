#!/usr/bin/env python3
"""Measures jacobi-tui on the machine that it is on.

Every figure is the program's own (`--headless --format json`): `seconds` is the loop alone. Runs that
are compared take turns, several times, so that whatever else the machine does hits all of them;
shown are the median, the best and the spread (the largest less the smallest, in per cent of the
median). Ratios are of the medians. Back ends that can't run here are named with their reason.
"""

import argparse
import ctypes
import dataclasses
import datetime
import fcntl
import json
import math
import os
import platform
import pty
import select
import statistics
import struct
import subprocess
import tempfile
import termios
import time

FEWEST_ITERATIONS, MOST_ITERATIONS = 4, 1000
MOST_LOOKED_AT = 1000000  # iterations: a run that is over in milliseconds tells no small ratio
LARGEST_ON_CPU = 16384
DRAWN = 4  # seconds, at least, that a run with a screen is measured


@dataclasses.dataclass
class Case:
    """One way to run the program, and what its runs said."""

    backend: str
    schedule: str
    mapping: str = "unstructured"
    grid: int = 4096
    options: tuple = ()
    iterations: int = 0
    seconds: list = dataclasses.field(default_factory=list)  # of an iteration
    device: str = ""
    really: str = ""  # the schedule with the depth that was used
    failure: str = ""

    @property
    def name(self):
        mapping = "/structured" if self.mapping == "structured" else ""
        return f"{self.backend}{mapping} {self.schedule}" + "".join(f" {o}" for o in self.options)

    def rate(self, pick=statistics.median):
        """Lattice updates a second."""
        return self.grid**2 / pick(self.seconds)

    def spread(self):
        middle = statistics.median(self.seconds)
        return (max(self.seconds) - min(self.seconds)) / middle

    def as_json(self):
        return {
            "backend": self.backend, "mapping": self.mapping, "schedule": self.really,
            "device": self.device, "grid": self.grid, "options": list(self.options),
            "iterations": self.iterations, "seconds_per_iteration": self.seconds,
            "median_ms": 1e3 * statistics.median(self.seconds) if self.seconds else None,
            "lattice_updates_per_second": self.rate() if self.seconds else None,
            "failure": self.failure or None,
        }


class Bench:
    def __init__(self, program, rounds, seconds, iterations):
        self.program, self.rounds, self.seconds = program, rounds, seconds
        self.iterations = iterations  # of every run; None: as many as take `seconds`
        self.measured = []

    def run_once(self, case, iterations):
        """Seconds of an iteration; None, and why in case.failure, where it failed."""
        command = [self.program, "--headless", "--format", "json", "--grid", str(case.grid),
                   "--tolerance", "0", "--iterations", str(iterations), "--backend", case.backend,
                   "--mapping", case.mapping, "--schedule", case.schedule, *case.options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            case.failure = done.stderr.strip() or f"exit status {done.returncode}"
            return None
        run = json.loads(done.stdout)["runs"][0]
        case.device, case.really = run["device"], run["schedule"]
        return run["seconds"] / run["iterations"]

    def calibrate(self, case, most=MOST_ITERATIONS):
        """A first run, not counted, tells how many iterations fill the time."""
        few = 64 if case.schedule.startswith("blocked") else FEWEST_ITERATIONS
        once = self.run_once(case, few)
        if once is not None:
            wanted = int(self.seconds / once)
            case.iterations = self.iterations or max(few, min(most, wanted))

    def measure(self, cases, most=MOST_ITERATIONS):
        """Runs the cases in turn; returns those that ran."""
        for case in cases:
            self.calibrate(case, most)
        for _ in range(self.rounds):
            for case in cases:
                seconds = None if case.failure else self.run_once(case, case.iterations)
                if seconds is not None:
                    case.seconds.append(seconds)
        self.measured += cases
        return [case for case in cases if case.seconds]


def table(cases):
    print(f"{'':34}{'grid':>7}{'iterations':>11}{'ms/iter.':>10}{'best':>9}{'Mlu/s':>9}{'spread':>8}")
    for case in cases:
        if not case.seconds:
            print(f"{case.name:34}{case.grid:7}  –  {case.failure}")
            continue
        name = case.name.replace(case.schedule, case.really or case.schedule, 1)
        print(f"{name:34}{case.grid:7}{case.iterations:11}"
              f"{1e3 * statistics.median(case.seconds):10.3f}{1e3 * min(case.seconds):9.3f}"
              f"{1e-6 * case.rate():9.0f}{100 * case.spread():7.0f}%")
    print(flush=True)


# What must be reached at 4096²: a ratio of lattice updates a second against another run …
RATIO_BARS = [
    # (run, against, must, aim)
    ("threads classic", "serial classic", 1.7, None),
    ("serial fused", "serial classic", 3, None),
    ("threads fused", "serial classic", 6, None),
    ("threads blocked", "serial classic", 12, 16),
]
# … or Mlu/s, or on an H200 milliseconds for 1000 iterations.
RATE_BARS = [("serial classic", 150)]
H200_BARS = [
    ("hip classic", 292, 280), ("hip fused", 105, 98), ("hip blocked", 32, 24),
    ("omp classic", 365, 320), ("omp fused", 150, 115),
]


def bar(name, ratio, must, aim, unit="×"):
    verdict = "miss" if ratio < must else "pass" if aim is None or ratio < aim else "aim reached"
    target = f"must {must:g}{unit}" + (f", aim {aim:g}{unit}" if aim else "")
    print(f"  {name:44}{ratio:8.2f}{unit}   {target:24} {verdict}")
    return {"name": name, "ratio": ratio, "must": must, "aim": aim, "verdict": verdict}


def bars(cases):
    by_name = {case.name: case for case in cases if case.seconds and case.grid == 4096}
    results = []
    print("Bars at 4096²")
    for name, must in RATE_BARS:
        if name in by_name:
            results.append(bar(f"{name}, of {must} Mlu/s", by_name[name].rate() / must / 1e6, 1, None))
    for name, against, must, aim in RATIO_BARS:
        if name in by_name and against in by_name:
            ratio = by_name[name].rate() / by_name[against].rate()
            results.append(bar(f"{name} / {against}", ratio, must, aim))
    for name, must, aim in H200_BARS:
        if name in by_name and "H200" in by_name[name].device:
            ms = 1e6 * statistics.median(by_name[name].seconds)
            results.append(bar(f"{name}: {ms:.1f} ms, of {must}", must / ms, 1, must / aim))
    print(flush=True)
    return results


def looking(bench, available):
    """What it costs to measure: the same run with and without events, in turn."""
    results = []
    wanted = [("serial", "classic"), ("threads", "classic"), ("threads", "fused"), ("hip", "fused")]
    print("The cost of looking: time with events / without")
    for backend, schedule in wanted:
        if backend not in available:
            continue
        for grid in (256, 4096):
            pair = [Case(backend, schedule, grid=grid, options=options)
                    for options in ((), ("--no-events",))]
            if len(bench.measure(pair, MOST_LOOKED_AT)) == 2:
                ratio = statistics.median(a / b for a, b in zip(pair[0].seconds, pair[1].seconds))
                most = 1.01 if backend == "hip" else 1.03
                verdict = "pass" if ratio <= most else "miss"
                print(f"  {pair[0].name + f' {grid}²':44}{ratio:8.3f}    at most {most:g}"
                      f"            {verdict}", flush=True)
                results.append({"name": f"{pair[0].name} {grid}", "ratio": ratio, "most": most,
                                "verdict": verdict})
    return results


def middle(values):
    """Median, and the interval in which that of endlessly many would lie in 95 of 100 cases."""
    ordered, count = sorted(values), len(values)
    aside, beyond = 0, 2  # how often the median lies beyond the aside-th, in 2**count cases
    while beyond + 2 * math.comb(count, aside + 1) <= 0.05 * 2**count:
        aside += 1
        beyond += 2 * math.comb(count, aside)
    return statistics.median(ordered), ordered[aside], ordered[count - 1 - aside]


def shown(low, high, most, pairs):
    if pairs < 6:
        return "few pairs"  # no interval of so few holds the median in 95 of 100 cases
    return "pass" if high <= most else "miss" if low > most else "not shown"


def record_times(file):
    """Seconds of the first and of the last record (docs/recording-format.md)."""
    with open(file, "rb") as recording:
        recording.readline()
        times = []
        while len(head := recording.read(28)) == 28:
            _, length, _, time_ns, _, _ = struct.unpack("<4sIIqII", head)
            times.append(1e-9 * time_ns)
            recording.seek(length, os.SEEK_CUR)
    return times[0], times[-1]


def recorded_pace(program, file):
    """(seconds of an iteration, those of them outside the loop) from a recording's first record to
    its last, so that starting and ending don't count; None where it holds no run."""
    ends = []
    for percent in ("0%", "100%"):
        replay = subprocess.run([program, "--headless", "--format", "json", "--replay", file, "--at",
                                 percent], capture_output=True, text=True, check=False)
        if replay.returncode:
            return None
        ends.append(json.loads(replay.stdout)["runs"][0])
    made, loop = ((ends[1][name] or 0) - (ends[0][name] or 0) for name in ("iterations", "seconds"))
    first, last = record_times(file)
    return ((last - first) / made, (last - first - loop) / made) if made > 0 else None


def with_recording(bench, case):
    """(seconds of an iteration, of them outside the loop, bytes); None where the run failed."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "run.rec")
        recorded = dataclasses.replace(case, options=(*case.options, "--record", file))
        pace = bench.run_once(recorded, case.iterations) and recorded_pace(bench.program, file)
        return (*pace, os.path.getsize(file)) if pace else None


def cost(name, pairs, most):
    """Prints and returns what pairs of ((seconds, of them outside the loop, …), seconds without)
    say of the cost of something."""
    ratio, low, high = middle([with_it[0] / without for with_it, without in pairs])
    outside = statistics.median(with_it[1] / with_it[0] for with_it, _ in pairs)
    verdict = shown(low, high, most, len(pairs))
    print(f"  {name:44}{ratio:8.3f} [{low:.3f} {high:.3f}]   at most {most:g}   {verdict:9}"
          f"  {100 * outside:5.2f} % outside the loop", flush=True)
    return {"name": name, "seconds_per_iteration": [[with_it[0], without] for with_it, without in pairs],
            "seconds_outside_the_loop": [with_it[1] for with_it, _ in pairs], "ratio": ratio,
            "interval": [low, high], "outside_the_loop": outside, "most": most, "verdict": verdict}


def recording(bench, available):
    """What it costs to record: the same run with and without --record, in turn."""
    results = []
    print("The cost of recording: time of an iteration with --record / without, [where the median"
          " lies]")
    wanted = [("fused", 512), ("fused", 4096), ("blocked", 4096)]
    for backend in ("serial", "threads", "hip"):
        for schedule, grid in wanted if backend in available else ():
            case = Case(backend, schedule, grid=grid)
            bench.calibrate(case, MOST_LOOKED_AT)
            pairs = []
            for _ in range(0 if case.failure else bench.rounds):
                without, recorded = bench.run_once(case, case.iterations), with_recording(bench, case)
                if without and recorded:
                    pairs.append((recorded, without))
            if pairs:
                size = statistics.median(recorded[2] for recorded, _ in pairs)
                results.append({**cost(f"{case.name} {grid}², recorded", pairs, 1.01),
                                "iterations": case.iterations, "bytes": size})
    print()
    return results


class Screen:
    """The program on a pseudo-terminal of 120 columns and 40 rows."""

    def __init__(self, command):
        self.start = time.monotonic()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
            os.execv(command[0], command)

    def read(self, until):
        """What came by then (seconds after the start), at least 0.1 s; None: the program ended."""
        left = max(0.0, until - (time.monotonic() - self.start))
        if not select.select([self.terminal], [], [], min(left, 0.1))[0]:
            return b""
        try:
            return os.read(self.terminal, 65536)
        except OSError:
            return None

    def age(self):
        return time.monotonic() - self.start

    def quit(self):
        """Sends q, and reads what still comes, so that the program can end."""
        os.write(self.terminal, b"q")
        while self.age() < 60 and self.read(60) is not None:
            pass
        os.close(self.terminal)
        os.waitpid(self.child, 0)


def first_picture(program):
    """Seconds from the start to the first half block; None: none came."""
    screen, seen, seconds = Screen([program, "--preset", "laptop"]), b"", None
    while seconds is None and screen.age() < 5:
        came = screen.read(5)
        if came is None:
            break
        seen += came
        if "▀".encode() in seen:
            seconds = screen.age()
    screen.quit()
    return seconds


def with_screen(program, case, seconds):
    """(seconds of an iteration, of them outside the loop) with all of it: events, pictures,
    recording; None: no picture was recorded in so short a time."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.rec")
        screen = Screen([program, "--backend", case.backend, "--schedule", case.schedule,
                         "--grid", str(case.grid), "--tolerance", "0", "--iterations", "1000000000",
                         "--record", record])
        while screen.age() < seconds and screen.read(seconds) is not None:
            pass
        screen.quit()
        return recorded_pace(program, record) if os.path.exists(record) else None


def drawing(bench, available):
    """What the screen costs: an iteration with screen, events and recording / without, in turn."""
    results = []
    wanted = [(backend, schedule, most) for backend, most in (("threads", 1.03), ("hip", 1.01))
              for schedule in ("fused", "blocked") if backend in available]
    for backend, schedule, most in wanted:
        case = Case(backend, schedule, options=("--no-events",))
        bench.calibrate(case, MOST_LOOKED_AT)
        pairs = []
        for _ in range(bench.rounds):
            without = bench.run_once(case, case.iterations)
            drawn = with_screen(bench.program, case, max(DRAWN, bench.seconds))
            if without and drawn:
                pairs.append((drawn, without))
        name = f"{backend} {schedule} 4096²"
        results += [cost(f"{name}, with the screen", pairs, most)] if pairs else []
    print()
    return results


def start_up(program, rounds):
    times = [seconds for _ in range(rounds) if (seconds := first_picture(program)) is not None]
    if not times:
        print("Start to first picture: no picture came\n")
        return None
    middle = statistics.median(times)
    print(f"Start to first picture, preset laptop: {1e3 * middle:.0f} ms, at most 200   "
          f"{'pass' if middle <= 0.2 else 'miss'}\n", flush=True)
    return {"seconds": times, "median": middle, "most": 0.2}


def available_backends(program):
    """{name: whether its first device is a GPU}, the plainest first; names what can't run."""
    listing = json.loads(subprocess.run([program, "--list", "--format", "json"],
                                        capture_output=True, text=True, check=True).stdout)
    for backend in listing["backends"]:
        if not backend["available"]:
            print(f"{backend['name']}: {backend['reason']}")
    return {backend["name"]: backend["devices"][0]["gpu"]
            for backend in reversed(listing["backends"]) if backend["available"]}


def gpu_l2_bytes():
    """Of the first GPU, as NVIDIA's driver has it; None where there is no such driver."""
    size = ctypes.c_int()
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
        attribute = 38  # CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
        if not cuda.cuInit(0) and not cuda.cuDeviceGetAttribute(ctypes.byref(size), attribute, 0):
            return size.value
    except OSError:
        pass
    return None


def machine():
    def first_of(command):
        try:
            return subprocess.run(command, capture_output=True, text=True,
                                  check=True).stdout.strip().splitlines()[0]
        except (OSError, subprocess.CalledProcessError, IndexError):
            return None

    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        cpu = next((line.split(":")[1].strip() for line in cpuinfo if "model name" in line), None)
    return {
        "cpu": cpu, "processors": os.cpu_count(), "kernel": platform.release(),
        "l2_bytes": first_of(["getconf", "LEVEL2_CACHE_SIZE"]),
        "l3_bytes": first_of(["getconf", "LEVEL3_CACHE_SIZE"]),
        "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        "gpu": first_of(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]),
        "gpu_l2_bytes": gpu_l2_bytes(),
        "commit": first_of(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse",
                            "--short", "HEAD"]),
        "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "load": os.getloadavg()[0],
    }


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the jacobi-tui to measure")
    parser.add_argument("--output", metavar="FILE", help="write everything as JSON, too")
    parser.add_argument("--rounds", type=int, default=6, help="how often each run takes its turn (6)")
    parser.add_argument("--seconds", type=float, default=1.5, help="about as long is a run (1.5)")
    parser.add_argument("--iterations", type=int, help="of every run, instead of --seconds")
    parser.add_argument("--backends", help="only these, with commas between")
    parser.add_argument("--grids", help="of the scaling table (256 to 32768, CPUs to 16384)",
                        default="256,512,1024,2048,4096,8192,16384,32768")
    parser.add_argument("--only", choices=["schedules", "scaling", "looking", "recording", "start"],
                        action="append", help="only this part (may be given several times)")
    return parser.parse_args()


def main():
    args = arguments()
    parts = args.only or ["schedules", "scaling", "looking", "recording", "start"]
    bench = Bench(args.program, args.rounds, args.seconds, args.iterations)
    result = {"machine": machine(), "rounds": args.rounds, "seconds_a_run": args.seconds,
              "iterations": args.iterations}
    print(", ".join(f"{key} {value}" for key, value in result["machine"].items()))
    available = available_backends(args.program)
    if args.backends:
        available = {name: gpu for name, gpu in available.items()
                     if name in args.backends.split(",")}
    print()
    schedules = ["classic", "fused", "blocked"]
    if "schedules" in parts:
        cases = [Case(backend, schedule) for backend in available for schedule in schedules]
        if "omp" in available:
            cases.append(Case("omp", "classic", mapping="structured"))
        bench.measure(cases)
        table(cases)
        result["bars"] = bars(cases)
    if "scaling" in parts:
        for grid in [int(grid) for grid in args.grids.split(",")]:
            cases = [Case(backend, schedule, grid=grid) for backend, gpu in available.items()
                     for schedule in schedules if gpu or grid <= LARGEST_ON_CPU]
            bench.measure(cases)
            if cases:
                table(cases)
    if "looking" in parts:
        result["looking"] = looking(bench, available)
        result["drawing"] = drawing(bench, available)
    if "recording" in parts:
        result["recording"] = recording(bench, available)
    if "start" in parts:
        result["first_picture"] = start_up(args.program, args.rounds)
    result["runs"] = [case.as_json() | {"gpu": available[case.backend]}
                      for case in bench.measured]
    if args.output:
        with open(args.output, "w", encoding="utf-8") as out:
            json.dump(result, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
