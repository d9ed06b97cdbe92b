import { onEach } from '../dom.ts'
import { addExpansion } from './expansion.ts'
import { addFolding } from './folding.ts'
import { startInlineForms } from './inline-forms.ts'
import { startLoading } from './loading.ts'
import { startViewed } from './viewed.ts'

/** What the script adds to diffs. */
export function startDiffs(): void {
  onEach<HTMLElement>('.diff-file', (file) => {
    addFolding(file)
    addExpansion(file)
  })
  startLoading()
  startInlineForms()
  startViewed()
}
