/*
 * The script of the pages: what it adds is convenience, and every page works without it. It is bundled
 * into one file, and touches nothing but the elements that it knows by their attributes.
 */
import { startBoards } from './boards.ts'
import { startCompletion } from './completion.ts'
import { startCopying } from './copying.ts'
import { startDiffs } from './diffs/diffs.ts'
import { startDrafts } from './drafts.ts'
import { startLineRanges } from './line-ranges.ts'
import { startLive } from './live/live.ts'
import { startEditors } from './markdown-editor.ts'
import { startMenus } from './menus.ts'
import { startNoteLinks } from './note-links.ts'
import { startShortcuts } from './shortcuts.ts'
import { startSubmits } from './submits.ts'
import { startTasks } from './tasks.ts'
import { startTimes } from './times.ts'

for (const start of [
  // Before the others change what the server has rendered.
  startLive,
  startDrafts,
  startEditors,
  startCompletion,
  startSubmits,
  startMenus,
  startShortcuts,
  startCopying,
  startLineRanges,
  startDiffs,
  startTasks,
  startBoards,
  startTimes,
  startNoteLinks,
]) {
  start()
}
