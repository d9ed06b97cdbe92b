import type { groupAction, Route } from '../../platform/routing/route.ts'
import {
  changeAward,
  createNote,
  type DiscussionActions,
  deleteNote,
  resolveDiscussion,
  updateNote,
} from './discussion-actions.ts'

/**
 * The actions of the discussions of a kind of things.
 * @param define `projectAction` or `groupAction`
 * @param pattern that of the page: `issues/:iid`
 */
export function discussionRoutes(
  define: typeof groupAction,
  pattern: string,
  actions: DiscussionActions,
): Route[] {
  return [
    define(`${pattern}/notes`, createNote(actions)),
    define(`${pattern}/notes/:note_id`, updateNote(actions)),
    define(`${pattern}/notes/:note_id/delete`, deleteNote(actions)),
    define(`${pattern}/discussions/:discussion_id/resolve`, resolveDiscussion(actions)),
    define(`${pattern}/award_emoji`, changeAward(actions)),
  ]
}
