float y = table[i];
float z = spilled[i];
