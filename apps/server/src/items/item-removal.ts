export { removeItemLeavings } from '@stithy/store'
