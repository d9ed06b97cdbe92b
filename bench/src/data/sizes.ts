/** The amount of data in a data folder. */
export interface Size {
  users: number
  groups: number
  /** Groups in the longest chain. */
  depth: number
  projects: number
  events: number
  issues: number
  mergeRequests: number
  /** In the top-level group of the measured projects and the groups below it. */
  epics: number
  /** Comments on all issues, on average. */
  notes: number
  /** Members of the busy project. */
  busyMembers: number
  /** Labels of the busy project. */
  busyLabels: number
  /** Projects with a repository; the first of them has `commits` commits. */
  repositories: number
  commits: number
  /** Commits of the project with the long history. */
  history: number
  /** Branches of the project with many branches. */
  branches: number
  /** Files of the large commit. */
  changedFiles: number
  /** Vulnerabilities of the measured project. */
  vulnerabilities: number
  /**
   * Projects of one more group, which comes with what people have besides accounts: keys, addresses,
   * shares of groups, access requests, badges. 0: none of these.
   */
  groupProjects: number
}

export const sizes = {
  small: {
    users: 20,
    groups: 10,
    depth: 4,
    projects: 10,
    events: 1000,
    issues: 2000,
    mergeRequests: 400,
    epics: 200,
    notes: 10_000,
    busyMembers: 15,
    busyLabels: 20,
    repositories: 7,
    commits: 1000,
    history: 1000,
    branches: 100,
    changedFiles: 50,
    vulnerabilities: 1000,
    groupProjects: 0,
  },
  large: {
    users: 100_000,
    groups: 20_000,
    depth: 20,
    projects: 10_000,
    events: 10_000_000,
    issues: 1_000_000,
    mergeRequests: 200_000,
    epics: 20_000,
    notes: 5_000_000,
    busyMembers: 200,
    busyLabels: 200,
    repositories: 7,
    commits: 1000,
    history: 1_000_000,
    branches: 10_000,
    changedFiles: 5000,
    vulnerabilities: 100_000,
    groupProjects: 0,
  },
  /** Users, groups and projects without what is inside of projects. */
  people: {
    users: 100_000,
    groups: 20_000,
    depth: 20,
    projects: 10_000,
    events: 0,
    issues: 0,
    mergeRequests: 0,
    epics: 0,
    notes: 0,
    busyMembers: 200,
    busyLabels: 0,
    repositories: 0,
    commits: 0,
    history: 0,
    branches: 0,
    changedFiles: 0,
    vulnerabilities: 0,
    groupProjects: 10_000,
  },
} as const satisfies Record<string, Size>

export type SizeName = keyof typeof sizes

export function isSizeName(text: string): text is SizeName {
  return Object.hasOwn(sizes, text)
}
