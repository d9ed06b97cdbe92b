import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names of the refs, one a line, and what is said where one of them would lose history. */
const refsVariable = 'STITHY_FORWARD_ONLY'
const reasonVariable = 'STITHY_FORWARD_REASON'

/** The most bytes of ref names that a push may be held to: the system limits an environment. */
export const maxForwardOnlyBytes = 96 * 1024

/**
 * Runs inside receive-pack, where the objects of the push can be read but are in nobody's repository
 * yet: what ends here with a failure leaves nothing behind.
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

/** Refs that a push may move forward only: the new commit must have the old one in its history. */
export interface ForwardOnly {
  /** In full: `refs/heads/main`. */
  refs: readonly string[]
  /** A sentence for the pusher. */
  reason: string
}

/** The folder that git finds the hook in. */
export interface HookFolder {
  /**
   * The folder, with the hook in it. Git takes a missing hook, or one on a file system that runs
   * nothing, for no hook at all, so it is looked at before each use. Throws where it cannot run.
   */
  prepare(): Promise<string>
  /** Removes the folder, where nobody chose it. */
  close(): Promise<void>
}

/** A hook in the given folder, or in a temporary one; written at the first use. */
export function createHookFolder(chosen: string | undefined): HookFolder {
  let temporary: Promise<string> | undefined
  const place = () => {
    if (chosen !== undefined) return Promise.resolve(chosen)
    temporary ??= mkdtemp(join(tmpdir(), 'stithy-hooks-'))
    return temporary
  }
  return {
    async prepare() {
      const folder = await place()
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

/** Several servers may share the folder, so nobody may ever see half of the file. */
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

/** What a receive-pack is started with so that the hook judges it. */
export function hookSettings(folder: string, { refs, reason }: ForwardOnly) {
  return {
    flags: ['-c', `core.hooksPath=${folder}`],
    env: { [refsVariable]: refs.join('\n'), [reasonVariable]: reason },
  }
}
