import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'

/** What the server uses of its disk, in bytes. */
export const InstanceStorage = z.object({
  /** As the statistics of the projects have it, like the next two. */
  repositories: z.int(),
  wikis: z.int(),
  /** Build artifacts, packages and large files. */
  files: z.int(),
  /** The size of the file system with the data of the server. */
  disk_size: z.int(),
  /** What is left of it for the server. */
  disk_available: z.int(),
})
export type InstanceStorage = z.output<typeof InstanceStorage>

/** The disk use of the instance. */
export const storageUseContract = {
  show: endpoint({
    name: 'application.storage.show',
    method: 'GET',
    path: '/application/storage',
    response: { 200: InstanceStorage },
    auth: { on: 'instance', ability: 'administer' },
    docs: {
      summary: 'Show the disk use of the instance',
      description: 'For administrators. An extension: sizes are in bytes.',
    },
  }),
}
