import type { App } from '../app.ts'
import type { CodeLimits } from '../config/code-limits.ts'

const mebibyte = 1024 * 1024

/** Maximum size of the pack of a push or an import, in bytes; 0 for unlimited. */
export function maxInputBytes({ config, settings }: App): number {
  return (settings.receive_max_input_size ?? config.receiveMaxInputSize) * mebibyte
}

/**
 * The limits of reading code, of which the instance settings lower some: the times by
 * `gitstore_timeout_*`, the diff of a file by `diff_max_patch_bytes`. Transfers, and what writes,
 * have limits of their own.
 */
export function codeLimitsOf({ config: { codeLimits }, settings }: App): CodeLimits {
  const { contributors, tree, blame, diff, stats, lastCommits, divergence } = codeLimits
  const lowered = <G extends { timeoutMs: number }>(group: G, seconds: number): G => {
    // 0 lowers nothing.
    const timeoutMs = Math.min(group.timeoutMs, seconds * 1000 || group.timeoutMs)
    return { ...group, timeoutMs }
  }
  const { gitstore_timeout_default: long, gitstore_timeout_medium: medium } = settings
  const maxFileBytes = Math.min(diff.maxFileBytes, settings.diff_max_patch_bytes)
  return {
    ...codeLimits,
    contributors: lowered(contributors, long),
    tree: lowered(tree, long),
    blame: lowered(blame, medium),
    diff: { ...lowered(diff, medium), maxFileBytes },
    lastCommits: lowered(lastCommits, medium),
    divergence: lowered(divergence, medium),
    stats: lowered(stats, settings.gitstore_timeout_fast),
  }
}
