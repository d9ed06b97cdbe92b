/**
 * Normalizes a path to git's form: without leading, trailing or doubled slashes and `.` segments;
 * the root is ''. Undefined for a path that leads out of the tree.
 */
export function normalizePath(path: string): string | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  if (steps.includes('..')) return undefined
  return steps.join('/')
}

/** The last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Files and folders below a folder that are searched by their paths, in git's order. */
export const maxSearchedEntries = 10_000
