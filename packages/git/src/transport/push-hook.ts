import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The ref names, one per line, and the message if one of them would lose history. */
const refsVariable = 'STITHY_FORWARD_ONLY'
const reasonVariable = 'STITHY_FORWARD_REASON'

/** The maximum bytes of ref names of a push: the system limits an environment. */
export const maxForwardOnlyBytes = 96 * 1024

/**
 * Runs inside receive-pack, where the objects of the push are readable but still in quarantine: a
 * failure here leaves nothing behind.
 */
const script = `#!/bin/sh
newline='
'
while read -r old new ref; do
  case "$newline$${refsVariable}$newline" in
    *"$newline$ref$newline"*) ;;
    *) continue ;;
  esac
  git merge-base --is-ancestor "$old" "$new" && continue
  printf '%s\\n' "$${reasonVariable}" >&2
  exit 1
done
exit 0
`

/** Refs that a push may only fast-forward: the new commit must be a descendant of the old one. */
export interface ForwardOnly {
  /** In full: `refs/heads/main`. */
  refs: readonly string[]
  /** A message for the pusher. */
  reason: string
}

/** The folder of the hook (`core.hooksPath`). */
export interface HookFolder {
  /**
   * The folder, with the hook in it. Git ignores a missing hook, or one on a file system without
   * executables, so it is checked before each use. Throws if it can't run.
   */
  prepare(): Promise<string>
  /** Removes the folder if it is a temporary one. */
  close(): Promise<void>
}

/** A hook in the given folder, or in a temporary one; written on first use. */
export function createHookFolder(chosen: string | undefined): HookFolder {
  let temporary: Promise<string> | undefined
  const findFolder = () => {
    if (chosen !== undefined) return Promise.resolve(chosen)
    temporary ??= mkdtemp(join(tmpdir(), 'stithy-hooks-'))
    return temporary
  }
  return {
    async prepare() {
      const folder = await findFolder()
      const file = join(folder, 'pre-receive')
      if (!(await canRun(file))) {
        await write(folder, file)
        await access(file, constants.X_OK)
      }
      return folder
    },
    async close() {
      const folder = await temporary
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function canRun(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Several servers may share the folder, so the file is replaced atomically. */
async function write(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const fresh = await mkdtemp(join(folder, 'new-'))
  try {
    await writeFile(join(fresh, 'pre-receive'), script, { mode: 0o755 })
    await rename(join(fresh, 'pre-receive'), file)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** The settings of a receive-pack that runs the hook. */
export function hookSettings(folder: string, { refs, reason }: ForwardOnly) {
  return {
    flags: ['-c', `core.hooksPath=${folder}`],
    env: { [refsVariable]: refs.join('\n'), [reasonVariable]: reason },
  }
}
