import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { showBlame } from './blame-page.ts'
import { showBlob } from './blob-page.ts'
import { deleteFile, showDeleteFile } from './delete-file-page.ts'
import { saveEdit, showEdit } from './edit-page.ts'
import { createFile, showNewFile } from './new-file-page.ts'
import { sendRaw } from './raw-page.ts'
import { replaceFile, showReplace } from './replace-page.ts'
import { showUpload, uploadFile } from './upload-page.ts'

export const fileRoutes = [
  projectPage('blob/*target', showBlob),
  projectPage('raw/*target', sendRaw),
  projectPage('blame/*target', showBlame),
  projectPage('edit/*target', showEdit),
  projectAction('edit/*target', saveEdit),
  projectPage('new/*target', showNewFile),
  projectAction('new/*target', createFile),
  projectPage('upload/*target', showUpload),
  projectAction('upload/*target', uploadFile),
  projectPage('replace/*target', showReplace),
  projectAction('replace/*target', replaceFile),
  projectPage('delete/*target', showDeleteFile),
  projectAction('delete/*target', deleteFile),
]
