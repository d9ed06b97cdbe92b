export {
  type GadgetRegistry,
  gadgetContract,
  gadgetRegistry,
  wordContract,
} from './gadget.contract.ts'
export {
  type RecordedRequest,
  type RecordingServer,
  type Reply,
  startRecordingServer,
} from './recording-server.ts'
