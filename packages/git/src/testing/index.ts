export { seededRandom } from './fixture.ts'
export { appendingDelta, buildPack, type PackedObject, repeatingDelta } from './packs.ts'
export { type ProcessOptions, type ProcessResult, runProcess } from './processes/run-process.ts'
export { sharedBroker } from './shared-broker.ts'
