"""A tengend of one's own for tests: on a free port, with a data folder that is gone afterwards."""
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("TENGEND", str(ROOT / "build" / "release" / "bin" / "tengend"))

# People play here; an engine that is not kept warm is not started.
CONFIG = '[[profile]]\nkind = "house"\nprocesses_warm = 0\n'
START_LIMIT_S = 20
STOP_LIMIT_S = 20


class Daemon:
    """Serves from its making to stop()."""

    def __init__(self, config: str = CONFIG) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tengen-python-")
        folder = pathlib.Path(self._folder.name)
        file, self._port_file = folder / "tengend.toml", folder / "port"
        file.write_text(config, encoding="utf-8")
        self._log_file = folder / "log"
        self._command = [PROGRAM, "--config", file, "--listen", "127.0.0.1:0",
                         "--port-file", self._port_file, "--data", folder / "data"]
        self.restart()

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """As kill -9 does."""
        self._process.kill()
        self._process.wait()

    def restart(self) -> None:
        """On the same data, perhaps on another port; it must not run."""
        self._port_file.unlink(missing_ok=True)
        with self._log_file.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log,
                                             stderr=log)
        try:
            self.port = self._await_port(self._port_file)
            self.url = f"ws://127.0.0.1:{self.port}"
        except BaseException:
            self._end()
            raise

    def stop(self) -> None:
        """Asks it to end; throws with its log when it does not, or not well."""
        self._process.terminate()
        try:
            if (status := self._process.wait(STOP_LIMIT_S)) != 0:
                raise RuntimeError(f"tengend ended with {status}:\n{self._log_file.read_text()}")
        finally:
            self._end()

    # The port file is there whole as soon as it is there, and the daemon serves by then.
    def _await_port(self, port_file: pathlib.Path) -> int:
        limit = time.monotonic() + START_LIMIT_S
        while not port_file.exists():
            if self._process.poll() is not None or time.monotonic() > limit:
                raise RuntimeError(f"tengend does not serve:\n{self._log_file.read_text()}")
            time.sleep(0.01)
        return int(port_file.read_text())

    def _end(self) -> None:
        self._process.kill()  # does nothing to one that has ended
        self._process.wait()
        self._folder.cleanup()
