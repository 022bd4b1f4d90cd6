/** Extension types of flax/serialization.py (`_MsgpackExtType`). */
export const NDARRAY = 1;
export const NATIVE_COMPLEX = 2;
export const NUMPY_SCALAR = 3;
