import { hash } from 'node:crypto'
import type { NewRow } from '@stithy/store'
import { inBulk } from './bulk.ts'
import { createRandom, type Random } from './random.ts'
import { sentence } from './words.ts'
import { day, epoch, inserter, type World } from './world.ts'

/** Activity events: mostly pushes, then memberships and new projects. */
export function fillEvents(world: World): void {
  inBulk(world.db, ['events'], () => writeEvents(world))
}

function writeEvents({ db, size, users, projects }: World): void {
  const random = createRandom('events')
  const insertEvent = inserter(db, 'events')
  for (let id = 1; id <= size.events; id += 1) {
    const when = epoch + Math.floor((id * span) / size.events)
    const authorId = random.pick(users).id
    const project = random.pick(projects)
    const base = { id, authorId, projectId: project.id, createdAt: when }
    insertEvent({ ...base, ...(random.chance(0.6) ? push(id, random) : plain(random)) })
  }
}

/** Two months, so that the daily removal of old events finds none. */
const span = 60 * day

type EventDetails = Omit<NewRow<'events'>, 'id' | 'authorId' | 'projectId' | 'createdAt'>

function push(id: number, random: Random): EventDetails {
  return {
    action: 'pushed',
    targetType: null,
    commitCount: 1 + random.integer(5),
    pushAction: 'pushed',
    refType: 'branch',
    commitFrom: hash('sha1', `${id}`),
    commitTo: hash('sha1', `${id + 1}`),
    ref: random.pick(['main', 'develop', 'feature']),
    commitTitle: sentence(random, 6),
  }
}

function plain(random: Random): EventDetails {
  const joined = random.chance(0.7)
  return {
    action: joined ? 'joined' : 'created',
    targetType: joined ? null : 'project',
    commitCount: null,
    pushAction: null,
    refType: null,
    commitFrom: null,
    commitTo: null,
    ref: null,
    commitTitle: null,
  }
}
