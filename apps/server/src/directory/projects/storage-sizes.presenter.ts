import type { StorageSizes } from '@stithy/core'
import type { StorageSizesRow } from '@stithy/store'

/**
 * Builds the sizes in bytes of a project or of all projects of a group; zeros for a group without
 * any.
 */
export function presentSizes(row: StorageSizesRow | undefined): StorageSizes {
  return {
    storage_size: row?.storageSize ?? 0,
    repository_size: row?.repositorySize ?? 0,
    wiki_size: row?.wikiSize ?? 0,
    lfs_objects_size: row?.lfsObjectsSize ?? 0,
    job_artifacts_size: row?.jobArtifactsSize ?? 0,
    packages_size: row?.packagesSize ?? 0,
  }
}
