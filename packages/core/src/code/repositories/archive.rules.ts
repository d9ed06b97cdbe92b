/** Archive formats, which are also the suffixes of archive names. */
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

/** The format for a suffix such as `tgz`; undefined for unknown ones. */
export function archiveFormat(suffix: string): ArchiveFormat | undefined {
  return Object.hasOwn(formats, suffix) ? formats[suffix] : undefined
}

/**
 * The name of an archive without suffix, and of its top-level directory: `<project
 * path>-<ref>-<full hash>`, with `-` for each `/` of the ref.
 */
export function archiveName(projectPath: string, ref: string, oid: string): string {
  return `${projectPath}-${ref.replaceAll('/', '-')}-${oid}`
}

/** The media type of each format. */
export const archiveContentTypes: Readonly<Record<ArchiveFormat, string>> = {
  tar: 'application/x-tar',
  'tar.gz': 'application/gzip',
  'tar.bz2': 'application/x-bzip2',
  zip: 'application/zip',
}
