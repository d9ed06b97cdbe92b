import {
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
import type { Search } from './search-request.ts'
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

export const searchHandlers: Handlers<typeof searchContract> = {
  instance: (call) => scopes[call.query.scope](call),

  async group(call) {
    const { caller, query, subject } = call
    const ability = groupSearchAbilities[query.scope]
    enforce(decideOnGroup(ability, caller.facts, subject.facts), caller, 'Group')
    return groupScopes[query.scope](call)
  },

  async project(call) {
    const { caller, query, subject } = call
    const ability = projectSearchAbilities[query.scope]
    enforce(decideOnProject(ability, caller.facts, subject.facts), caller, 'Project')
    return projectScopes[query.scope](call)
  },
}
