/**
 * The path of an entry from the root of a repository, as git keeps it: no slashes at the ends, none
 * doubled, no `.` steps; the root is the empty text. Undefined where the path leads out of the tree.
 */
export function normalizePath(path: string): string | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  if (steps.includes('..')) return undefined
  return steps.join('/')
}

/** The last step of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
