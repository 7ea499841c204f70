# jacobi-tui for Spack. Put this file into a repository of yours as packages/jacobi_tui/package.py (before Spack 1.0:
# packages/jacobi-tui/package.py), set `git` to where the sources are, and:  spack install jacobi-tui
# Tried: by Python, with stand-ins for what it imports: its syntax and what it tells Meson. Not tried: Spack; whether its LLVM has all that the modules need.
from spack.package import *
from spack_repo.builtin.build_systems.meson import MesonPackage


class JacobiTui(MesonPackage):
    """Jacobi's method on CPUs and GPUs, live in a terminal: HIP, OpenMP target offload, OpenMP threads."""

    git = "file:///path/to/jacobi-tui"  # where the sources are

    version("main", branch="main")

    variant("offload", default=True, description="OpenMP target offload and HIP for NVIDIA GPUs, by clang")
    variant("rocm", default=False, description="Code objects for AMD GPUs")
    variant("mpi", default=True, description="Runs on several processes")
    variant("png", default=True, description="Pictures as PNG")

    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3:", type="build")
    depends_on("scdoc", type="build")
    depends_on("ncurses")
    depends_on("inih")
    depends_on("cjson")
    depends_on("zlib-api")
    depends_on("llvm@19:21 +clang openmp=runtime +libomptarget", when="+offload")
    depends_on("hip", when="+rocm")
    depends_on("mpi", when="+mpi")
    depends_on("libpng", when="+png")
    depends_on("freetype", when="+png")
    depends_on("fontconfig", when="+png")

    def meson_args(self):
        def feature(name, variant):
            return "-D{0}={1}".format(name, "enabled" if self.spec.satisfies(variant) else "disabled")

        return [
            "-Dtests=disabled",
            feature("omp", "+offload"),
            feature("hip", "+offload"),
            feature("amd", "+rocm"),
            feature("mpi", "+mpi"),
            feature("png", "+png"),
        ]
