import { textPage } from '../../platform/pages/text-page.ts'
import type { groupAction, groupPage, Route } from '../../platform/routing/route.ts'
import {
  changeAward,
  createNote,
  type DiscussionActions,
  deleteNote,
  noteText,
  resolveDiscussion,
  updateNote,
} from './discussion-actions.ts'

/**
 * The actions of the discussions of a kind of things, and the pages of long comments.
 * @param define `projectAction` or `groupAction`
 * @param show `projectPage` or `groupPage`
 * @param pattern that of the page: `issues/:iid`
 */
export function discussionRoutes(
  define: typeof groupAction,
  show: typeof groupPage,
  pattern: string,
  actions: DiscussionActions,
): Route[] {
  return [
    define(`${pattern}/notes`, createNote(actions)),
    show(`${pattern}/notes/:note_id/text`, textPage(noteText(actions))),
    define(`${pattern}/notes/:note_id`, updateNote(actions)),
    define(`${pattern}/notes/:note_id/delete`, deleteNote(actions)),
    define(`${pattern}/discussions/:discussion_id/resolve`, resolveDiscussion(actions)),
    define(`${pattern}/award_emoji`, changeAward(actions)),
  ]
}
