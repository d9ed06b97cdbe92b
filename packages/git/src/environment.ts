/** Settings of every git process, whatever a repository's own config says. */
const settings: [string, string][] = [
  ['safe.directory', '*'],
  ['core.quotePath', 'false'],
  ['core.autocrlf', 'false'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsync', 'objects,derived-metadata,reference'],
  ['gc.auto', '0'],
  ['receive.autogc', 'false'],
  ['maintenance.auto', 'false'],
  ['log.showSignature', 'false'],
  ['diff.renames', 'true'],
  ['fastimport.unpackLimit', '1000'],
  // `unpack-objects` holds whole objects in memory, `index-pack` streams large ones.
  ['transfer.unpackLimit', '1'],
  ['receive.unpackLimit', '1'],
  ['fetch.unpackLimit', '1'],
  // Memory is limited: larger files are streamed, and never compressed against each other.
  ['core.bigFileThreshold', '64m'],
  ['core.deltaBaseCacheLimit', '64m'],
  ['pack.windowMemory', '64m'],
  ['pack.deltaCacheSize', '64m'],
  ['pack.threads', '2'],
  // Every other filter can take any time for any repository (`sparse:oid`), or is used by no client.
  ['uploadpackfilter.allow', 'false'],
  ['uploadpackfilter.blob:none.allow', 'true'],
  ['uploadpackfilter.blob:limit.allow', 'true'],
  ['uploadpackfilter.tree.allow', 'true'],
  ['uploadpackfilter.tree.maxDepth', '16'],
  ['tar.tar.bz2.command', 'bzip2 -c'],
]

/**
 * The complete environment of git: nothing of the user's or the system's configuration is read.
 * PATH and TMPDIR are taken from `inherited`.
 */
export function gitEnvironment(inherited: NodeJS.ProcessEnv): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: inherited.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_PAGER: 'cat',
    GIT_DEFAULT_HASH: 'sha1',
    GIT_DEFAULT_REF_FORMAT: 'files',
    GIT_CONFIG_COUNT: String(settings.length),
  }
  if (inherited.TMPDIR) environment.TMPDIR = inherited.TMPDIR
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}
