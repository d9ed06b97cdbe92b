import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { file } from '../../platform/contract/fields.ts'
import { ProjectUpload } from './project-upload.schema.ts'

/** Files for the descriptions and comments of a project. */
export const projectUploadsContract = {
  create: endpoint({
    name: 'projects.uploads.create',
    method: 'POST',
    path: '/projects/:id/uploads',
    body: z.object({ file: file() }),
    response: { 201: ProjectUpload },
    auth: { on: 'project', ability: 'upload_files' },
    docs: {
      summary: 'Upload a file to use in texts of a project',
      description:
        '`markdown` shows an image, and links to any other file. Everyone who may read the project ' +
        'and knows the URL can read the file. Larger files than `max_attachment_size` are 413.',
    },
  }),
}
