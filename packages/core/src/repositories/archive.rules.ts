/** How the files of a commit are packed; also how the names of archives end. */
export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'

const formats: Record<string, ArchiveFormat> = {
  'tar.gz': 'tar.gz',
  tgz: 'tar.gz',
  gz: 'tar.gz',
  'tar.bz2': 'tar.bz2',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  bz2: 'tar.bz2',
  tar: 'tar',
  zip: 'zip',
}

/** The format that a suffix such as `tgz` asks for (catalogue: repository, 1); undefined for others. */
export function archiveFormat(suffix: string): ArchiveFormat | undefined {
  return Object.hasOwn(formats, suffix) ? formats[suffix] : undefined
}

/**
 * The name of an archive without its suffix, and of the one directory that it holds:
 * `<project path>-<ref>-<full hash>`, with `-` for each `/` of the ref.
 */
export function archiveName(projectPath: string, ref: string, oid: string): string {
  return `${projectPath}-${ref.replaceAll('/', '-')}-${oid}`
}
