/** Finds renames; with more than 400 added and as many deleted files only those without a change. */
export const renameArgs = ['-M', '-l400']
