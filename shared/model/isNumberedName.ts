/**
 * Names that exporters make up: a number, `onnx::MatMul_98` (torch.onnx), `const_fold_opt__12` (tf2onnx), `_v_17`, `val_3`, `Constant_5`.
 */
const NUMBERED = /^(?:\d+|onnx::\w+_\d+|const_fold_opt__\d+|(?:_?(?:v|val|t|x|arg|tensor|Constant|constant|initializer|param|new_param|p2o\.\w+)[_.]?)\d+)$/;

/** Whether a name says nothing of what it names. */
export function isNumberedName(name: string): boolean {
  return name === '' || NUMBERED.test(name);
}
