import type { CheckpointFormat } from '../format';
import { looksLikeOnnx } from './looksLikeOnnx';
import { readOnnx } from './readOnnx';

/** ONNX models: the initializers of the graph. Only read: a model is more than its weights. */
export const onnxFormat: CheckpointFormat = {
  id: 'onnx',
  label: 'ONNX',
  extensions: ['.onnx'],
  matches: looksLikeOnnx,
  read: readOnnx,
  layout: null,
};
