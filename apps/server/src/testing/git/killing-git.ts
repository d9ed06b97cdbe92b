import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mustGit } from './git-client.ts'

/** When the server is killed. */
export interface KillingStep {
  when: 'before' | 'after'
  command: string
  /** A text in the command's input. */
  input: string
}

/**
 * Writes a `git` to a folder for the PATH of a server, which kills that server once, when the file
 * `armed` exists there: before or after the command whose arguments and input match. The server's
 * process id is read from the file `pid`.
 */
export async function writeKillingGit(
  path: string,
  { when, command, input }: KillingStep,
): Promise<void> {
  const real = (await mustGit(path, '--exec-path')).replace(/\/libexec.*|\/lib\/.*/, '/bin/git')
  // Input that isn't searched goes to git as it comes.
  const matches = input === '' ? 'true' : `cat > "$copy"; grep -qa "${input}" "$copy"`
  const source = input === '' ? '' : '< "$copy"'
  const script = `#!/bin/sh
case "$*" in
*${command}*)
  copy=$(mktemp ${path}/input.XXXXXX)
  if { ${matches}; } && rm ${path}/armed 2>/dev/null; then
    if [ ${when} = after ]; then ${real} "$@" ${source}; fi
    kill -9 $(cat ${path}/pid)
    exit 1
  fi
  exec ${real} "$@" ${source} ;;
esac
exec ${real} "$@"
`
  await writeFile(join(path, 'git'), script)
  await chmod(join(path, 'git'), 0o755)
}
