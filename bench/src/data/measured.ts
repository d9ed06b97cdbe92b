/**
 * The measured users and projects. The same in every size, so that results of two sizes can be
 * compared: the member has six projects and three groups, whatever else there is.
 */
export const root = { id: 1, username: 'root', token: 'bench-root-token-0123456789' } as const
export const member = {
  id: 2,
  username: 'member',
  token: 'bench-member-token-0123456789',
  /** Of an application; on the data of `people` only. */
  oauthToken: 'bench-oauth-token-0123456789',
} as const

/**
 * The member's projects: the private ones among the first ten, which is every second, and the busy
 * one.
 */
export const memberProjects = [1, 2, 3, 5, 7, 9] as const
/** Positions in the list of groups: the three top-level ones. */
export const memberGroups = [3, 4, 5] as const

/** The project with the measured repository: private, three groups deep. */
export const measuredProject = {
  id: 1,
  groupPosition: 2,
  name: 'Commits',
  path: 'commits',
} as const
/**
 * The project with many members, labels and issues: public, in the same group as the measured one.
 */
export const busyProject = 2
/**
 * The number of issues, and of merge requests, of the busy project that the member wrote, is
 * assigned to and gave an award; and of these merge requests the member is the approver, too.
 */
export const itemsOfMember = 40
/** A word in the titles of these only. */
export const rareWord = 'kingfisher'
/** The branch that a fifth of the merge requests come from; that of the others is their own. */
export const sharedBranch = 'develop'
/** The branch that a fifth of the merge requests go to. */
export const stableBranch = 'stable'
/** The file of the raw file row. */
export const measuredFile = 'src/area-03/file-07.txt'
/** The member's project with a long history, by the size; its commits change one file each. */
export const historyProject = 3
/** The member's project with many branches, by the size. */
export const branchesProject = 5
/** The member's project whose branch `large` has commits that change many files. */
export const changesProject = 7
/** The group with very many projects and members, which the member owns; `people` only. */
export const peopleGroup = { name: 'People', path: 'people' } as const
/** A private project that the member reaches through two shares; `people` only. */
export const deepProject = {
  name: 'Deep',
  path: 'deep-1/deep-2/deep-3/deep-4/deep-5/deep',
} as const

/** The ids, and the numbers in their group, of epics with 100 and with many issues. */
export const mediumEpic = 1
export const largeEpic = 2
