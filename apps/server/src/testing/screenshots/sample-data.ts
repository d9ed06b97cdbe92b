import { succeeded } from '../clients/calls.ts'
import type { TestUser } from '../factories.ts'
import { buildTestServer, type Json, type TestServer } from '../test-server.ts'
import {
  branchFiles,
  firstFiles,
  issueText,
  requestText,
  secondFiles,
  wikiText,
} from './sample-texts.ts'

/** The server and whoever looks at its pages. */
export interface Sample {
  server: TestServer
  /** An administrator. */
  viewer: TestUser
}

interface Seed {
  server: TestServer
  people: Record<'ada' | 'grace' | 'kim', TestUser>
  project: Json
  /** Sends a request that must succeed, some minutes after the one before; the order of what it makes is certain. */
  send: (method: string, path: string, body: object, user: TestUser) => Promise<Json>
}

const start = Date.UTC(2026, 2, 30, 8)
const minute = 60_000

/** A server with a clock of its own and a small group: the same pages each time. */
export async function buildSample(): Promise<Sample> {
  // Whoever makes pictures waits for a browser: the time that the process is busy says nothing.
  const server = await buildTestServer({}, { now: () => start, maxBlockMs: 60_000 })
  const people = {
    ada: await server.buildUser({
      username: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      admin: true,
    }),
    grace: await server.buildUser({ username: 'grace', name: 'Grace', email: 'grace@example.com' }),
    kim: await server.buildUser({ username: 'kim', name: 'Kim', email: 'kim@example.com' }),
  }
  const send: Seed['send'] = (method, path, body, by) => {
    server.advance(7 * minute)
    return succeeded(server, method, path, body, by)
  }
  const project = await buildProjects(server, people, send)
  const seed = { server, people, project, send }
  await buildPlans(seed)
  await buildReview(seed)
  await send(
    'POST',
    `/projects/${project.id}/wikis`,
    { title: 'home', content: wikiText },
    people.ada,
  )
  server.advance(90 * minute)
  await server.runJobs()
  return { server, viewer: people.ada }
}

async function buildProjects(
  server: TestServer,
  { ada, grace, kim }: Seed['people'],
  send: Seed['send'],
): Promise<Json> {
  const group = await server.buildGroup(
    {
      name: 'Harbor',
      path: 'harbor',
      description: 'Software for small harbours',
      visibility: 'public',
    },
    ada,
  )
  const shared = { namespace_id: group.id, visibility: 'public' }
  const make = (body: object) => send('POST', '/projects', { ...shared, ...body }, ada)
  await make({ name: 'berths', description: 'Plans which boat lies where' })
  await make({ name: 'handbook', description: 'How the harbour is run', visibility: 'internal' })
  const project = await make({
    name: 'tides',
    description: 'Predicts high and low water',
  })
  await server.addMember(`groups/${group.id}`, grace.id, 40)
  await server.addMember(`groups/${group.id}`, kim.id, 30)
  await send('POST', `/projects/${project.id}/star`, {}, kim)
  return project
}

async function buildPlans({ people: { ada, grace, kim }, project, send }: Seed): Promise<void> {
  const own = `/projects/${project.id}`
  const label = (name: string, color: string) => send('POST', `${own}/labels`, { name, color }, ada)
  await label('bug', '#d9534f')
  await label('docs', '#5c7cfa')
  const doing = await label('doing', '#f0ad4e')
  const ready = await label('ready', '#5cb85c')
  const { id: milestone_id } = await send(
    'POST',
    `${own}/milestones`,
    { title: '0.4', start_date: '2026-03-23', due_date: '2026-04-17' },
    ada,
  )
  const issue = (title: string, labels: string, assignee: TestUser, more: object = {}) =>
    send('POST', `${own}/issues`, { title, labels, assignee_ids: [assignee.id], ...more }, grace)
  await issue('Tables of constants in the handbook', 'docs', kim)
  await issue('Heights of stations with N2 are wrong', 'bug,doing', kim, { milestone_id })
  await issue('Predictions are late in summer', 'bug,doing', ada, {
    milestone_id,
    description: issueText,
    due_date: '2026-04-03',
  })
  await issue('Times of high and low water', 'ready', ada, { milestone_id, weight: 3 })
  await issue('Read stations from a folder', 'ready', grace)
  await issue('Say which file a broken station is in', 'bug', ada)
  const notes = `${own}/issues/3/notes`
  await send(
    'POST',
    notes,
    { body: 'The gauge of Old Quay agrees: it is the clock, not the tide.' },
    kim,
  )
  await send(
    'POST',
    notes,
    { body: '`Date` parses times without a zone as local ones. :eyes:' },
    ada,
  )
  await send('POST', `${own}/issues/3/award_emoji`, { name: 'thumbsup' }, kim)
  await send('PUT', `${own}/issues/5`, { state_event: 'close' }, grace)
  const board = await send('POST', `${own}/boards`, { name: 'Development' }, ada)
  for (const { id } of [ready, doing]) {
    await send('POST', `${own}/boards/${board.id}/lists`, { label_id: id }, ada)
  }
}

async function buildReview({ server, people, project, send }: Seed): Promise<void> {
  const { ada, grace, kim } = people
  const own = `/projects/${project.id}`
  const commit = (
    user: TestUser,
    commit_message: string,
    actions: readonly object[],
    more: object = {},
  ) => {
    const body = { branch: 'main', commit_message, actions, ...more }
    return send('POST', `${own}/repository/commits`, body, user)
  }
  await commit(ada, 'Predict heights of the tide', actionsOn(firstFiles, 'create'))
  const message = 'Start from the mean of the station\n\nGauges measure from a datum of their own.'
  await commit(grace, message, actionsOn(secondFiles, 'update'))
  const branch = { branch: 'n2', start_branch: 'main' }
  const title = 'Refuse constituents without a speed'
  await commit(kim, title, actionsOn(branchFiles, 'update'), branch)
  await server.runJobs()
  const requests = `${own}/merge_requests`
  const request = {
    source_branch: 'n2',
    target_branch: 'main',
    title,
    description: requestText,
    labels: 'bug',
    assignee_ids: [kim.id],
    reviewer_ids: [ada.id],
  }
  await send('POST', requests, request, kim)
  await server.runJobs()
  const { body: made } = await server.inject('GET', `${requests}/1`, { token: ada.token })
  const position = {
    position_type: 'text',
    ...made.diff_refs,
    old_path: 'src/heights.js',
    new_path: 'src/heights.js',
    new_line: 11,
  }
  const body = 'Could the message name the station as well?'
  await send('POST', `${requests}/1/discussions`, { body, position }, ada)
  await send('POST', `${requests}/1/notes`, { body: 'It reads well. One question below.' }, grace)
  await server.runJobs()
}

/** The actions of a commit to files, by their paths. */
function actionsOn(files: Readonly<Record<string, string>>, action: 'create' | 'update') {
  return Object.entries(files).map(([file_path, content]) => ({ action, file_path, content }))
}
