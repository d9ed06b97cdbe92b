import { whileOpen } from '../../directory/projects/project-place.ts'
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
  projectPage('edit/*target', whileOpen(showEdit)),
  projectAction('edit/*target', saveEdit),
  projectPage('new/*target', whileOpen(showNewFile)),
  projectAction('new/*target', createFile),
  projectPage('upload/*target', whileOpen(showUpload)),
  projectAction('upload/*target', uploadFile),
  projectPage('replace/*target', whileOpen(showReplace)),
  projectAction('replace/*target', replaceFile),
  projectPage('delete/*target', whileOpen(showDeleteFile)),
  projectAction('delete/*target', deleteFile),
]
