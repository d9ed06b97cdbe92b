export {
  type GadgetRegistry,
  gadgetContract,
  gadgetRegistry,
  wordContract,
} from './gadget.contract.ts'
export {
  type RecordingServer,
  type Reply,
  type Seen,
  startRecordingServer,
} from './recording-server.ts'
