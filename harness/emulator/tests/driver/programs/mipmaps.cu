int main() { cudaMallocMipmappedArray(0); }
