import {
  codeSearchScopes,
  decideOnGroup,
  decideOnProject,
  type GroupSearchResults,
  type GroupSearchScope,
  groupSearchAbilities,
  type ProjectSearchResults,
  type ProjectSearchScope,
  projectSearchAbilities,
  type SearchResults,
  type SearchScope,
  type searchContract,
} from '@stithy/core'
import type { Page } from '@stithy/store'
import type { z } from 'zod'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { enforce } from '../../platform/http/authorize.ts'
import type { Handlers } from '../../platform/http/call.ts'
import {
  searchBlobs,
  searchCommits,
  searchGroupBlobs,
  searchGroupCommits,
  searchGroupWikiBlobs,
  searchWikiBlobs,
} from './code-search.ts'
import {
  searchGroupIssues,
  searchGroupMergeRequests,
  searchIssues,
  searchMergeRequests,
  searchProjectIssues,
  searchProjectMergeRequests,
} from './item-search.ts'
import {
  searchAllMilestones,
  searchGroupMilestones,
  searchProjectMilestones,
} from './milestone-search.ts'
import { searchProjectNotes } from './note-search.ts'
import {
  searchProjectBlobs,
  searchProjectCommits,
  searchProjectWikiBlobs,
} from './project-code-search.ts'
import { searchGroupProjects, searchProjects } from './project-search.ts'
import type { Search, SearchRequest } from './search-request.ts'
import { inSearchSlot } from './search-slots.ts'
import { searchSnippetBlobs, searchSnippetTitles } from './snippet-search.ts'
import { searchGroupUsers, searchProjectUsers, searchUsers } from './user-search.ts'

/** One result of a search, of any scope. */
type Found<Results extends z.ZodType> =
  z.input<Results> extends infer List
    ? List extends readonly (infer Item)[]
      ? Item
      : never
    : never

const scopes: Record<SearchScope, Search<undefined, Found<typeof SearchResults>>> = {
  projects: searchProjects,
  issues: searchIssues,
  merge_requests: searchMergeRequests,
  milestones: searchAllMilestones,
  snippet_titles: searchSnippetTitles,
  snippet_blobs: searchSnippetBlobs,
  users: searchUsers,
  blobs: searchBlobs,
  wiki_blobs: searchWikiBlobs,
  commits: searchCommits,
}

const groupScopes: Record<
  GroupSearchScope,
  Search<GroupSubject, Found<typeof GroupSearchResults>>
> = {
  projects: searchGroupProjects,
  issues: searchGroupIssues,
  merge_requests: searchGroupMergeRequests,
  milestones: searchGroupMilestones,
  users: searchGroupUsers,
  blobs: searchGroupBlobs,
  wiki_blobs: searchGroupWikiBlobs,
  commits: searchGroupCommits,
}

const projectScopes: Record<
  ProjectSearchScope,
  Search<ProjectSubject, Found<typeof ProjectSearchResults>>
> = {
  issues: searchProjectIssues,
  merge_requests: searchProjectMergeRequests,
  milestones: searchProjectMilestones,
  notes: searchProjectNotes,
  users: searchProjectUsers,
  blobs: searchProjectBlobs,
  wiki_blobs: searchProjectWikiBlobs,
  commits: searchProjectCommits,
}

const codeScopes: ReadonlySet<string> = new Set(codeSearchScopes)

/** Runs a search; one of code waits for its turn. */
function run<Subject, Found>(
  call: SearchRequest<Subject> & { query: { scope: string } },
  search: Search<Subject, Found>,
): Promise<Page<Found>> {
  return codeScopes.has(call.query.scope) ? inSearchSlot(call, () => search(call)) : search(call)
}

export const searchHandlers: Handlers<typeof searchContract> = {
  instance: (call) => run(call, scopes[call.query.scope]),

  async group(call) {
    const { caller, query, subject } = call
    const ability = groupSearchAbilities[query.scope]
    enforce(decideOnGroup(ability, caller.facts, subject.facts), caller, 'Group')
    return run(call, groupScopes[query.scope])
  },

  async project(call) {
    const { caller, query, subject } = call
    const ability = projectSearchAbilities[query.scope]
    enforce(decideOnProject(ability, caller.facts, subject.facts), caller, 'Project')
    return run(call, projectScopes[query.scope])
  },
}
