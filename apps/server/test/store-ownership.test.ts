import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Slices of the server that keep their rows in the tables of other slices of the store. */
const sharedTables: Readonly<Record<string, readonly string[]>> = {
  // A comment, a thread and a system note are notes.
  discussions: ['notes'],
  'system-notes': ['notes'],
  // A fork is a project, and has what is counted of its source.
  forks: ['projects', 'statistics'],
  // How many approvals are required is a column of the project and of the merge request.
  approvals: ['projects', 'merge-requests'],
  // Merging is the state of a merge request.
  merging: ['merge-requests'],
  // A deploy key is an SSH key.
  'deploy-keys': ['keys'],
  // A group is a namespace, and every user has one.
  groups: ['namespaces'],
  users: ['namespaces'],
  // A new password ends the tokens that the old one was exchanged for.
  authentication: ['oauth'],
  // A comment and the changes that it suggests are written together.
  notes: ['suggestions'],
  // A copied issue brings its notes; what belongs to an item of any type goes with it.
  issues: ['items', 'notes'],
  // Notifications, and the mails of them.
  mail: ['notifications'],
  // An item of any type is locked, and what belongs to it deleted, in one way.
  epics: ['items'],
  snippets: ['items'],
  // A promoted issue becomes an epic, which it remembers.
  'issue-promotion': ['epics', 'issues'],
  // An environment is deleted with its deployments.
  environments: ['deployments'],
  // Putting a label on an item and the event of it are one thing.
  labels: ['label-events'],
}

/**
 * Slices of the server and whose rows they look up without asking the other's service: rows by id
 * or name, and lists for many targets at once, where a service would add no rule of its own.
 */
const foreignReads: Readonly<Record<string, readonly string[]>> = {
  // The frame of a page shows broadcast messages, too.
  appearance: ['broadcast-messages'],
  approvals: ['items'],
  authentication: ['tokens', 'users'],
  avatars: ['users'],
  awards: ['items'],
  // The project or group is locked while its badges are counted.
  badges: ['projects'],
  boards: ['labels', 'members', 'milestones'],
  'commit-comments': ['notes'],
  'commit-messages': ['merge-requests', 'repositories', 'users'],
  'commit-statuses': ['pipelines'],
  commits: ['keys', 'statistics', 'users'],
  deployments: ['repositories'],
  discussions: ['items'],
  environments: ['repositories'],
  // The project is locked while an issue of it moves to an epic.
  'epic-issues': ['epics', 'items', 'projects'],
  'epic-links': ['items'],
  epics: ['groups'],
  events: ['notes'],
  features: ['namespaces', 'projects', 'users'],
  forks: ['namespaces'],
  'git-http': ['namespaces', 'repositories'],
  'git-ssh': ['deploy-keys', 'keys'],
  groups: ['custom-attributes', 'shares'],
  housekeeping: ['repositories', 'settings'],
  imports: ['repositories'],
  'instance-keys': ['deploy-keys', 'keys', 'users'],
  // The project is locked while the order of its issues changes.
  issues: ['labels', 'milestones', 'projects'],
  'issue-promotion': ['participants'],
  items: ['labels', 'participants', 'users'],
  jobs: ['users'],
  markdown: ['labels', 'mentions', 'milestones', 'users'],
  members: ['namespaces'],
  mentions: ['epics', 'issues', 'items', 'members', 'snippets'],
  mail: ['access-requests', 'labels', 'notes', 'users'],
  'merge-requests': ['items', 'milestones', 'notes', 'pipelines', 'repositories'],
  merging: ['notes', 'pipelines', 'repositories', 'users'],
  milestones: ['issues', 'items', 'notes'],
  namespaces: ['members'],
  notes: ['items'],
  notifications: [
    'epics',
    'issues',
    'items',
    'labels',
    'merge-requests',
    'participants',
    'snippets',
    'users',
  ],
  // An owner is locked while their applications are counted.
  oauth: ['users'],
  // The project is locked while its domains are counted.
  'pages-domains': ['projects'],
  pipelines: ['commit-statuses'],
  positions: ['items', 'merge-requests', 'notes'],
  projects: ['custom-attributes', 'namespaces', 'users'],
  'project-uploads': ['projects'],
  'push-options': ['mentions', 'merge-requests', 'repositories'],
  'protected-refs': ['settings'],
  pushes: ['repositories'],
  'quick-actions': ['labels', 'mentions', 'milestones'],
  // A user is renamed with their namespace.
  redirects: ['namespaces'],
  releases: ['users'],
  repositories: ['statistics'],
  scim: ['namespaces', 'users'],
  search: ['users'],
  'search-index': ['projects', 'repositories', 'search-engine'],
  shares: ['namespaces'],
  'sign-in': ['tokens'],
  statistics: ['repositories'],
  suggestions: ['items', 'merge-requests'],
  tags: ['protected-refs', 'releases'],
  todos: ['epics', 'issues', 'items', 'notes', 'users'],
  'user-counts': ['merge-requests'],
  users: ['custom-attributes'],
  // The project is locked while its vulnerabilities change.
  vulnerabilities: ['projects'],
  'vulnerability-issues': ['vulnerabilities'],
  webhooks: ['issues', 'items', 'merge-requests', 'projects', 'users'],
  wikis: ['repositories'],
}

/** A function of the store that changes nothing; a lock is taken by who reads under it. */
const readingName = /^(?:find|list|count|has|is|level|lock)[A-Z]/

interface StoreUse {
  file: string
  slice: string
  /** Slice of the store that defines it. */
  owner: string
  name: string
}

/** The slice of the store that defines each exported function; `platform` belongs to everyone. */
function readOwners(): Map<string, string> {
  const owners = new Map<string, string>()
  for (const file of sourceFiles('packages/store/src')) {
    const [, layer = '', slice] = /^packages\/store\/src\/([a-z]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)) {
      owners.set(name, layer === 'platform' ? layer : (slice ?? layer))
    }
  }
  return owners
}

/** Every import of a function of the store by a slice that isn't its own, except in the app layer. */
function readForeignUses(): StoreUse[] {
  const owners = readOwners()
  return sourceFiles('apps/server/src').flatMap((file) => {
    const [, layer, slice = ''] = /^apps\/server\/src\/([a-z]+)\/([^/]+)\//.exec(file) ?? []
    if (layer === undefined || layer === 'platform' || layer === 'app') return []
    return importedNames(readFileSync(join(root, file), 'utf8')).flatMap((name) => {
      const owner = owners.get(name) ?? 'platform'
      return owner === 'platform' || owner === slice ? [] : [{ file, slice, owner, name }]
    })
  })
}

function importedNames(text: string): string[] {
  const lists = Array.from(text.matchAll(/import \{([^}]*)\} from '@stithy\/store'/g))
  return lists
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '))
}

function sourceFiles(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).filter(
    (file) => !/\.test(-d)?\.ts$|\/testing\//.test(file),
  )
}

describe("a resource's rows", () => {
  const uses = readForeignUses()
  const foreign = uses.filter(({ slice, owner }) => !sharedTables[slice]?.includes(owner))

  it('are written by its own slice only', () => {
    const writes = foreign.filter(({ name }) => !readingName.test(name))
    expect(writes.map(({ file, name, owner }) => `${file} uses ${name} of ${owner}`)).toEqual([])
  })

  it('are read by its own slice and declared readers', () => {
    const undeclared = foreign.filter(({ slice, owner }) => !foreignReads[slice]?.includes(owner))
    expect(undeclared.map(({ file, name, owner }) => `${file} uses ${name} of ${owner}`)).toEqual(
      [],
    )
  })

  it('have no declared reader that reads none of them', () => {
    const used = new Set(uses.map(({ slice, owner }) => `${slice}: ${owner}`))
    const stated = [sharedTables, foreignReads].flatMap((table) =>
      Object.entries(table).flatMap(([slice, owners]) =>
        owners.map((owner) => `${slice}: ${owner}`),
      ),
    )
    expect(stated.filter((pair) => !used.has(pair))).toEqual([])
  })
})
