import type { projectUploadsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { uploadFile } from './project-upload.service.ts'

export const projectUploadHandlers: Handlers<typeof projectUploadsContract> = {
  create: ({ app, subject, body }) => uploadFile(app, subject.row.id, body.file),
}
