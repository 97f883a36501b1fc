package io.adrastea.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A folder of programs that are scripts, as the only place where programs are looked for. */
record FakeTools(Path directory) {
  /** Writes a program as its last word but one, as a compiler does with -o, and ends well. */
  static final String COMPILER = "for word; do [ \"$last\" = -o ] && program=$word; last=$word; done\n"
      + "printf '#!/bin/sh\\n' >\"$program\" && chmod +x \"$program\"";

  /** Answers each command with as many times of 1000 ns as it has batches. */
  static final String SERVER =
      "while read -r verb bytes batches exchanges; do\n"
          + "  printf ns; i=0; while [ $i -lt $batches ]; do printf ' 1000'; i=$((i + 1)); done; echo\n"
          + "done";

  /** Writes one of them: lines for sh. */
  FakeTools with(String name, String lines) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + lines + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return this;
  }

  SearchPath path() {
    return new SearchPath(List.of(directory));
  }
}
