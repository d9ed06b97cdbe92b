import { commitSubjectType } from '../code/commits/commit-subject.ts'
import { groupSubjectType } from '../directory/groups/group-subject.ts'
import {
  groupMemberSubjectType,
  projectMemberSubjectType,
} from '../directory/members/member-subjects.ts'
import { projectSubjectType } from '../directory/projects/project-subject.ts'
import { awardSubjectType } from '../planning/awards/award-subject.ts'
import { discussionSubjectType } from '../planning/discussions/discussion-subject.ts'
import { epicSubjectType } from '../planning/epics/epic-subject.ts'
import { issueSubjectType } from '../planning/issues/issue-subject.ts'
import { noteSubjectType } from '../planning/notes/note-subject.ts'
import {
  personalSnippetSubjectType,
  snippetSubjectType,
} from '../planning/snippets/snippet-subject.ts'
import { todoSubjectType } from '../planning/todos/todo-subject.ts'
import { instanceSubjectType } from '../platform/http/instance-subject.ts'
import type { SubjectTypes } from '../platform/http/subjects.ts'
import { mergeRequestSubjectType } from '../review/merge-requests/merge-request-subject.ts'
import { suggestionSubjectType } from '../review/suggestions/suggestion-subject.ts'

/** How every subject that a contract can name is loaded and authorized. */
export const subjects: SubjectTypes = {
  award: awardSubjectType,
  commit: commitSubjectType,
  discussion: discussionSubjectType,
  epic: epicSubjectType,
  group: groupSubjectType,
  group_member: groupMemberSubjectType,
  instance: instanceSubjectType,
  issue: issueSubjectType,
  merge_request: mergeRequestSubjectType,
  note: noteSubjectType,
  personal_snippet: personalSnippetSubjectType,
  project: projectSubjectType,
  project_member: projectMemberSubjectType,
  snippet: snippetSubjectType,
  suggestion: suggestionSubjectType,
  todo: todoSubjectType,
}
